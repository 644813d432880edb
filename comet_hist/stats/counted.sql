-- What all statistics begin with: which hands count, who sat in them, and who is meant. Parameters, each an empty list
-- or NULL where nothing is left out: $sessions, $since, $until, $games, $sizes choose hands; $include_faulty lets hands
-- in that are not legal; $as_recorded takes the amounts that were written down instead of those that were owed;
-- $spellings and $persons, of the same length, say who is meant by a name; $players and $min_hands choose persons.
--
-- Nothing is materialized: to read some columns of millions of rows again takes less time than to keep them all once.

WITH

chosen_sessions AS NOT MATERIALIZED (
    SELECT session_id, session, date, began, hands_agreed, hands AS session_hands
    FROM private.sessions
    WHERE
        (len($sessions::VARCHAR[]) = 0 OR list_contains($sessions::VARCHAR[], session))
        AND (len($games::VARCHAR[]) = 0 OR list_contains($games::VARCHAR[], game))
        AND ($since::DATE IS NULL OR date >= $since::DATE)
        AND ($until::DATE IS NULL OR date <= $until::DATE)
),

-- The order of sessions in time: by day, then by the time of the day where it is known, then by identifier; a session
-- without a time comes after those of its day that have one, and one without a day at the end.
in_order AS NOT MATERIALIZED (
    SELECT session_id, row_number() OVER (ORDER BY date NULLS LAST, began NULLS LAST, session) AS place
    FROM chosen_sessions
),

-- A hand counts if it was played to its end (so it is not void) and is legal. A wrong payment does not unmake it.
counted AS NOT MATERIALIZED (
    SELECT hands.*, len(names) AS players
    FROM private.hands JOIN chosen_sessions USING (session_id)
    WHERE finished AND (legal OR $include_faulty) AND is_meant(len(names), $sizes::INTEGER[])
),

-- A person in a hand. Amounts as recorded are NULL, and so left out, where the hand records no payments; the parts
-- also where it records nothing but stacks.
seated AS NOT MATERIALIZED (
    SELECT
        session_id, hand, position, cards_dealt, seats.players, won, cards_left,
        person(player, $spellings, $persons) AS player,
        CASE WHEN $as_recorded THEN recorded_net ELSE net_pot + net_comet + net_cards END AS net,
        CASE WHEN $as_recorded THEN recorded_pot ELSE net_pot END AS net_pot,
        CASE WHEN $as_recorded THEN recorded_comet ELSE net_comet END AS net_comet,
        CASE WHEN $as_recorded THEN recorded_cards ELSE net_cards END AS net_cards,
        held_comet, played_comet
    FROM private.seats JOIN chosen_sessions USING (session_id)
    WHERE counts_here(counts, $include_faulty) AND is_meant(seats.players, $sizes::INTEGER[])
),

-- A Comet that was dealt, with whoever held it. Who played it was dealt it, also where the deal is not known and
-- `held_comet` is NULL.
comets AS NOT MATERIALIZED (
    SELECT
        player, net, net_comet, won, played_comet,
        held_comet AND comet_player IS NULL AS stuck_comet,
        CASE WHEN played_comet THEN comet_use END AS comet_use,
        CASE WHEN played_comet THEN comet_for END AS comet_for,
        CASE WHEN played_comet THEN comet_ply::INTEGER - 1 END AS plays_before,
        nullif(plays::INTEGER - 1, 0) AS plays_beside
    FROM
        seated
        JOIN (SELECT session_id, hand, plays, comet_player, comet_for, comet_use, comet_ply FROM private.hands)
            USING (session_id, hand)
    WHERE held_comet OR played_comet
),

-- Who played often enough, and of them who is meant: out of one list, of which DuckDB expects few, so that a join looks up
-- the many others in them.
frequent AS (SELECT player FROM seated GROUP BY player HAVING count(*) >= $min_hands),
meant AS (SELECT unnest(list(player)) AS player FROM frequent WHERE is_meant(player, $players::VARCHAR[])),

-- A run of a hand that counts, with who opened and who closed it.
played_runs AS NOT MATERIALIZED (
    SELECT
        private.suit_of(run_suits[run]) AS suit, private.stop_of(run_stops[run]) AS stop,
        private.card_of(made.opened_with[run]) AS opened_with, run_lengths[run] AS length,
        made.opener_cards[run] AS opener_cards, made.suits_held[run] AS suits_held, made.longest[run] AS longest,
        suit_lengths[run] AS suit_length,
        person(names[run_openers[run]], $spellings, $persons) AS opener,
        person(names[run_closers[run]], $spellings, $persons) AS closer
    FROM (SELECT * EXCLUDE (runs), generate_subscripts(run_suits, 1) AS run FROM counted) AS made
),

