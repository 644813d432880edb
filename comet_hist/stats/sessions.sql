-- A row a person in a session: the standings. Hands of a session stand in the order of their numbers. $first, if not
-- NULL, is how many rows are wanted from the top, for which as many sessions are enough.

shown AS (
    SELECT session_id
    FROM in_order SEMI JOIN (FROM seated SEMI JOIN meant USING (player)) USING (session_id)
    ORDER BY place
    LIMIT $first
),

running AS NOT MATERIALIZED (
    SELECT session_id, player, won, net, sum(net) OVER (PARTITION BY session_id, player ORDER BY hand) AS total
    FROM seated SEMI JOIN shown USING (session_id)
),

standing AS (
    SELECT
        session_id, player, count(*) AS hands, count(*) FILTER (won) AS wins, sum(net)::BIGINT AS net,
        max(running.net) AS best, min(running.net) AS worst,
        -- Everybody starts from 0.
        CASE WHEN count(running.net) > 0 THEN greatest(max(total), 0)::BIGINT END AS high,
        CASE WHEN count(running.net) > 0 THEN least(min(total), 0)::BIGINT END AS low
    FROM running
    GROUP BY session_id, player
),

ranked AS (
    SELECT
        *, CASE WHEN net IS NOT NULL THEN rank() OVER (PARTITION BY session_id ORDER BY net DESC NULLS LAST) END AS rank
    FROM standing
),

lengths AS (SELECT session_id, count(*) AS counted FROM counted SEMI JOIN shown USING (session_id) GROUP BY session_id)

SELECT
    session, date, player, rank, rank = 1 AS winner, hands_agreed, session_hands, counted, hands, wins, net, best,
    worst, high, low, high - low AS swing
FROM
    ranked SEMI JOIN meant USING (player)
    JOIN chosen_sessions USING (session_id)
    JOIN lengths USING (session_id)
    JOIN in_order USING (session_id)
ORDER BY place, rank NULLS LAST, player
