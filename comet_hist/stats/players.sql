-- A row a person, over all hands that count.

by_seat AS (
    SELECT
        player,
        count(*) AS hands,
        count(DISTINCT session_id) AS sessions,
        count(*) FILTER (won) AS wins,
        -- There are 2 to 6 players, and 60 is divided by each of these: the sum is exact.
        sum(60 // players) / 60 AS expected_wins,
        sum(net)::BIGINT AS net,
        avg(seated.net) AS net_hand,
        standard_error(seated.net) AS net_se,
        sum(net_pot)::BIGINT AS net_pot,
        sum(net_comet)::BIGINT AS net_comet,
        sum(net_cards)::BIGINT AS net_cards,
        max(seated.net) AS best,
        min(seated.net) AS worst,
        avg(seated.cards_left) FILTER (NOT won) AS cards_left
    FROM seated
    GROUP BY player
),

by_comet AS (
    SELECT
        player,
        count(*) AS comet_dealt,
        count(*) FILTER (played_comet) AS comet_played,
        count(*) FILTER (comet_use = 'gap') AS comet_gap,
        count(*) FILTER (comet_use = 'rescue') AS comet_rescue,
        count(*) FILTER (comet_use = 'preempt') AS comet_preempt,
        count(*) FILTER (comet_use = 'own') AS comet_own,
        count(*) FILTER (comet_use = 'led') AS comet_led,
        round(avg(plays_before / plays_beside), 12) AS comet_timing,
        count(*) FILTER (stuck_comet) AS comet_stuck
    FROM comets
    GROUP BY player
),

-- Whoever holds one suit has nothing to choose: such an opening counts in `opened` alone.
by_opening AS (
    SELECT
        opener AS player,
        count(*) AS opened,
        count(*) FILTER (suits_held >= 2) AS opened_choice,
        count(*) FILTER (suits_held >= 2 AND longest) AS opened_longest,
        avg(opener_cards) AS shed_opening
    FROM played_runs
    GROUP BY opener
)

SELECT
    player, hands, sessions,
    wins, wins / hands AS win_rate, wilson_low(wins, hands) AS win_low, wilson_high(wins, hands) AS win_high,
    expected_wins,
    net, net_hand, net_se, net_pot, net_comet, net_cards, best, worst,
    coalesce(comet_dealt, 0) AS comet_dealt, coalesce(comet_played, 0) AS comet_played,
    comet_played / comet_dealt AS comet_play_rate,
    coalesce(comet_gap, 0) AS comet_gap, coalesce(comet_rescue, 0) AS comet_rescue,
    coalesce(comet_preempt, 0) AS comet_preempt, coalesce(comet_own, 0) AS comet_own,
    coalesce(comet_led, 0) AS comet_led, comet_timing, coalesce(comet_stuck, 0) AS comet_stuck,
    coalesce(opened, 0) AS opened, coalesce(opened_choice, 0) AS opened_choice,
    coalesce(opened_longest, 0) AS opened_longest, opened_longest / nullif(opened_choice, 0) AS longest_rate,
    shed_opening, cards_left
FROM by_seat SEMI JOIN meant USING (player) LEFT JOIN by_comet USING (player) LEFT JOIN by_opening USING (player)
ORDER BY net DESC NULLS LAST, player
