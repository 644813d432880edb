-- Why runs stopped, by suit. A run that a fault leaves without a reason is not counted.

summed AS (
    SELECT
        coalesce(suit::VARCHAR, 'all') AS suit, count(*) AS runs,
        count(*) FILTER (stop = 'king') AS king, count(*) FILTER (stop = 'gap') AS gap,
        count(*) FILTER (stop = 'played') AS played, count(*) FILTER (stop = 'out') AS out,
        avg(length) AS length, standard_error(length) AS length_se
    FROM played_runs SEMI JOIN meant ON closer = player
    WHERE stop IS NOT NULL
    GROUP BY GROUPING SETS ((suit), ())
),

suits AS (SELECT unnest(['all', 'c', 'd', 'h', 's']) AS suit, unnest(range(5)) AS place),

every AS (
    SELECT
        suit, place, coalesce(runs, 0) AS runs, coalesce(king, 0) AS king, coalesce(gap, 0) AS gap,
        coalesce(played, 0) AS played, coalesce(out, 0) AS out, length, length_se
    FROM suits LEFT JOIN summed USING (suit)
)

SELECT
    suit, runs,
    king, king / nullif(runs, 0) AS king_rate, wilson_low(king, runs) AS king_low, wilson_high(king, runs) AS king_high,
    gap, gap / nullif(runs, 0) AS gap_rate, wilson_low(gap, runs) AS gap_low, wilson_high(gap, runs) AS gap_high,
    played, played / nullif(runs, 0) AS played_rate, wilson_low(played, runs) AS played_low,
    wilson_high(played, runs) AS played_high,
    out, out / nullif(runs, 0) AS out_rate, wilson_low(out, runs) AS out_low, wilson_high(out, runs) AS out_high,
    length, length_se
FROM every
ORDER BY place
