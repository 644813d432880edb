-- What a place at the table is worth, by table size: by position after the dealer, and by the number of cards dealt.

placed AS (
    SELECT players, unnest(['position', 'cards']) AS "by", unnest([position, cards_dealt])::INTEGER AS value,
        won, net, cards_dealt, cards_left
    FROM seated SEMI JOIN meant USING (player)
),

summed AS (
    SELECT
        players, "by", value, count(*) AS hands, avg(cards_dealt) AS cards_dealt, count(*) FILTER (won) AS wins,
        sum(net)::BIGINT AS net, avg(placed.net) AS net_mean, standard_error(placed.net) AS net_se,
        avg(placed.cards_left) FILTER (NOT won) AS cards_left
    FROM placed
    WHERE value IS NOT NULL
    GROUP BY players, "by", value
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
