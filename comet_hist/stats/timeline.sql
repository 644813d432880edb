-- The chips of each person, hand by hand: sessions in the order of time, hands of a session in the order of their numbers.
-- $first, if not NULL, is how many rows are wanted from the top: sums go over nothing further down.

numbered AS NOT MATERIALIZED (
    SELECT session_id, hand, place, row_number() OVER (ORDER BY place, hand) AS number
    FROM counted JOIN in_order USING (session_id)
),

top AS (
    SELECT session_id, number, hand, player, net
    FROM seated SEMI JOIN meant USING (player) JOIN numbered USING (session_id, hand)
    ORDER BY number, player
    LIMIT $first
)

SELECT
    number, session, date, hand, player, net,
    sum(coalesce(net, 0)) OVER (PARTITION BY session_id, player ORDER BY number)::BIGINT AS session_net,
    sum(coalesce(net, 0)) OVER (PARTITION BY player ORDER BY number)::BIGINT AS total_net
FROM top JOIN chosen_sessions USING (session_id)
ORDER BY number, player
