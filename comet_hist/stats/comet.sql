-- What the Comet did for those who were dealt it: by whether it was played, how, as which rank, and when.

held AS (SELECT * FROM comets SEMI JOIN meant USING (player)),

-- Every way there is, in order.
ways AS (
    SELECT 1 AS part, 'outcome' AS "by", ['played', 'stuck'] AS names
    UNION ALL
    SELECT 2, 'use', ['gap', 'rescue', 'preempt', 'own', 'led']
    UNION ALL
    SELECT 3, 'rank', ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K']
    UNION ALL
    SELECT 4, 'third', ['first', 'middle', 'last']
),
categories AS (SELECT part, "by", unnest(names) AS value, generate_subscripts(names, 1) AS place FROM ways),

sorted AS (
    SELECT
        net_comet, net, won,
        CASE WHEN played_comet THEN 'played' WHEN stuck_comet THEN 'stuck' END AS outcome,
        comet_use::VARCHAR AS use,
        left(comet_for::VARCHAR, 1) AS rank,
        CASE
            WHEN 3 * plays_before < plays_beside THEN 'first'
            WHEN 3 * plays_before < 2 * plays_beside THEN 'middle'
            WHEN plays_before <= plays_beside THEN 'last'
        END AS third
    FROM held
),

each_way AS (
    SELECT 1 AS part, outcome AS value, net_comet, net, won FROM sorted
    UNION ALL
    SELECT 2, use, net_comet, net, won FROM sorted
    UNION ALL
    SELECT 3, rank, net_comet, net, won FROM sorted
    UNION ALL
    SELECT 4, third, net_comet, net, won FROM sorted
),

summed AS (
    SELECT
        part, value, count(*) AS comets, sum(net_comet)::BIGINT AS chips, avg(net_comet) AS chips_mean,
        standard_error(net_comet) AS chips_se, count(*) FILTER (won) AS wins, avg(net) AS net_mean,
        standard_error(net) AS net_se
    FROM each_way
    WHERE value IS NOT NULL
    GROUP BY part, value
),

denominators AS (
    SELECT [
        count(*), count(*) FILTER (outcome = 'played'), count(rank), count(third)
    ] AS of_part
    FROM sorted
)

SELECT
    "by", value, coalesce(comets, 0) AS comets, of_part[part] AS of,
    coalesce(comets, 0) / nullif(of_part[part], 0) AS share,
    wilson_low(coalesce(comets, 0), of_part[part]) AS share_low,
    wilson_high(coalesce(comets, 0), of_part[part]) AS share_high,
    chips, chips_mean, chips_se, coalesce(wins, 0) AS wins, wins / comets AS win_rate, wilson_low(wins, comets) AS win_low,
    wilson_high(wins, comets) AS win_high, net_mean, net_se
FROM categories LEFT JOIN summed USING (part, value) CROSS JOIN denominators
ORDER BY part, place
