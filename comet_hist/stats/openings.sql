-- What runs were opened with: by the number of cards their opener held of the suit, by suit, and by rank.

opened AS (
    SELECT suit, left(opened_with::VARCHAR, 1) AS rank, suit_length, length, opener_cards
    FROM played_runs SEMI JOIN meant ON opener = player
),

ways AS (
    SELECT 1 AS part, 'all' AS "by", [NULL::VARCHAR] AS names
    UNION ALL
    SELECT 2, 'length', list_transform(range(1, 27), lambda n: n::VARCHAR)
    UNION ALL
    SELECT 3, 'suit', ['c', 'd', 'h', 's']
    UNION ALL
    SELECT 4, 'rank', ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K']
),
categories AS (SELECT part, "by", unnest(names) AS value, generate_subscripts(names, 1) AS place FROM ways),

summed AS (
    SELECT
        CASE grouping(suit_length, suit, rank) WHEN 7 THEN 1 WHEN 3 THEN 2 WHEN 5 THEN 3 ELSE 4 END AS part,
        coalesce(suit_length::VARCHAR, suit::VARCHAR, rank) AS value,
        count(*) AS openings, avg(length) AS run_length, standard_error(length) AS run_length_se,
        avg(opener_cards) AS shed, standard_error(opener_cards) AS shed_se
    FROM opened
    GROUP BY GROUPING SETS ((), (suit_length), (suit), (rank))
),

denominators AS (SELECT count(*) AS openings, count(suit_length) AS known FROM opened)

SELECT
    "by", categories.value, coalesce(summed.openings, 0) AS openings,
    CASE WHEN "by" = 'length' THEN known ELSE denominators.openings END AS of,
    coalesce(summed.openings, 0) / nullif(of, 0) AS share,
    wilson_low(coalesce(summed.openings, 0), of) AS share_low,
    wilson_high(coalesce(summed.openings, 0), of) AS share_high,
    run_length, run_length_se, shed, shed_se
FROM
    categories
    LEFT JOIN summed ON summed.part = categories.part AND summed.value IS NOT DISTINCT FROM categories.value
    CROSS JOIN denominators
WHERE "by" <> 'length' OR summed.openings > 0
ORDER BY categories.part, place
