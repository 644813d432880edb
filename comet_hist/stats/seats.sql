-- What a place at the table is worth, by table size: by position after the dealer, and by the number of cards dealt.

summed AS (
    SELECT
        players, CASE WHEN grouping(position) = 0 THEN 'position' ELSE 'cards' END AS "by",
        coalesce(position, seated.cards_dealt)::INTEGER AS value, count(*) AS hands,
        avg(seated.cards_dealt) AS cards_dealt, count(*) FILTER (won) AS wins,
        sum(net)::BIGINT AS net, avg(seated.net) AS net_mean, standard_error(seated.net) AS net_se,
        avg(cards_left) FILTER (NOT won) AS cards_left
    FROM seated SEMI JOIN meant USING (player)
    GROUP BY GROUPING SETS ((players, position), (players, seated.cards_dealt))
    HAVING value IS NOT NULL
)

SELECT
    players, "by", value, hands, cards_dealt, wins, wins / hands AS win_rate, wilson_low(wins, hands) AS win_low,
    wilson_high(wins, hands) AS win_high, 1 / players AS expected_rate, net, net_mean, net_se, cards_left,
    CASE
        WHEN "by" = 'cards' AND row_number() OVER fewest > 1 THEN first_value(net_mean) OVER fewest - net_mean
    END AS extra_cost
FROM summed
WINDOW fewest AS (PARTITION BY players, "by" ORDER BY value)
ORDER BY players, "by" DESC, value
