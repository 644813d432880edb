-- The players' table: one row a player, over all hands that count.
-- Parameters: $include_faulty lets hands in that are not legal; $as_recorded takes the amounts that were written
-- down instead of those that were owed.

WITH

-- A hand counts if it was played to its end (so it is not void) and is legal. A wrong payment does not unmake it.
counted AS (
    SELECT session_id, hand, len(names) AS players, plays, comet_player, comet_use, comet_ply
    FROM private.hands
    WHERE finished AND (legal OR $include_faulty)
),

-- A player in a hand. Amounts as recorded are NULL, and so left out, where the hand records no payments; the parts
-- also where it records nothing but stacks.
seated AS (
    SELECT
        seats.player, session_id, players, won, cards_left,
        CASE WHEN $as_recorded THEN recorded_net ELSE net_pot + net_comet + net_cards END AS net,
        CASE WHEN $as_recorded THEN recorded_pot ELSE net_pot END AS net_pot,
        CASE WHEN $as_recorded THEN recorded_comet ELSE net_comet END AS net_comet,
        CASE WHEN $as_recorded THEN recorded_cards ELSE net_cards END AS net_cards,
        played_comet,
        -- Who played it had the chance to, even where a fault says that it was dealt to another.
        held_comet OR played_comet AS dealt_comet,
        held_comet AND comet_player IS NULL AS stuck_comet,
        CASE WHEN played_comet THEN comet_use END AS comet_use,
        CASE WHEN played_comet THEN (comet_ply::INTEGER - 1) / nullif(plays::INTEGER - 1, 0) END AS timing
    FROM private.seats JOIN counted USING (session_id, hand)
),

by_seat AS (
    SELECT
        player,
        count(*) AS hands,
        count(DISTINCT session_id) AS sessions,
        count(*) FILTER (won) AS wins,
        wins / hands AS win_rate,
        -- There are 2 to 6 players, and 60 is divided by each of these: the sum is exact.
        sum(60 // players) / 60 AS expected_wins,
        sum(net)::BIGINT AS net,
        avg(seated.net) AS net_hand,
        -- Sums of fractions differ in their last places by the order of the rows, which is not always the same.
        round(stddev_samp(seated.net) / sqrt(count(seated.net)), 12) AS net_se,
        sum(net_pot)::BIGINT AS net_pot,
        sum(net_comet)::BIGINT AS net_comet,
        sum(net_cards)::BIGINT AS net_cards,
        max(seated.net) AS best,
        min(seated.net) AS worst,
        count(*) FILTER (dealt_comet) AS comet_dealt,
        count(*) FILTER (played_comet) AS comet_played,
        comet_played / nullif(comet_dealt, 0) AS comet_play_rate,
        count(*) FILTER (comet_use = 'gap') AS comet_gap,
        count(*) FILTER (comet_use = 'rescue') AS comet_rescue,
        count(*) FILTER (comet_use = 'preempt') AS comet_preempt,
        count(*) FILTER (comet_use = 'own') AS comet_own,
        count(*) FILTER (comet_use = 'led') AS comet_led,
        round(avg(timing), 12) AS comet_timing,
        count(*) FILTER (stuck_comet) AS comet_stuck,
        avg(seated.cards_left) FILTER (NOT won) AS cards_left
    FROM seated
    GROUP BY player
),

-- Whoever holds one suit has nothing to choose: such an opening counts in `opened` alone.
by_opening AS (
    SELECT
        opener AS player,
        count(*) AS opened,
        count(*) FILTER (suits_held >= 2) AS opened_choice,
        count(*) FILTER (suits_held >= 2 AND longest) AS opened_longest,
        opened_longest / nullif(opened_choice, 0) AS longest_rate,
        avg(opener_cards) AS shed_opening
    FROM private.runs SEMI JOIN counted USING (session_id, hand)
    GROUP BY opener
),

-- Wilson's interval for a share of n trials, z = 1.959964 for 95 %:
-- (share + z²/2n ± z √(share (1 − share)/n + z²/4n²)) / (1 + z²/n)
wilson AS (
    SELECT
        player,
        1.959963984540054::DOUBLE AS z,
        (win_rate + z * z / (2 * hands)) / (1 + z * z / hands) AS middle,
        z * sqrt(win_rate * (1 - win_rate) / hands + z * z / (4.0 * hands * hands)) / (1 + z * z / hands) AS half
    FROM by_seat
)

SELECT
    player, hands, sessions,
    wins, win_rate, least(greatest(middle - half, 0), win_rate) AS win_low,
    greatest(least(middle + half, 1), win_rate) AS win_high, expected_wins,
    net, net_hand, net_se, net_pot, net_comet, net_cards, best, worst,
    comet_dealt, comet_played, comet_play_rate,
    comet_gap, comet_rescue, comet_preempt, comet_own, comet_led, comet_timing, comet_stuck,
    coalesce(opened, 0) AS opened, coalesce(opened_choice, 0) AS opened_choice,
    coalesce(opened_longest, 0) AS opened_longest, longest_rate, shed_opening,
    cards_left
FROM by_seat JOIN wilson USING (player) LEFT JOIN by_opening USING (player)
ORDER BY net DESC NULLS LAST, player
