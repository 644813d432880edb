-- What all statistics begin with: which hands count, who sat in them, and who is meant. Parameters, each an empty list
-- or NULL where nothing is left out: $sessions, $since, $until, $games, $sizes choose hands; $include_faulty lets hands
-- in that are not legal; $as_recorded takes the amounts that were written down instead of those that were owed;
-- $spellings and $persons, of the same length, say who is meant by a name; $players and $min_hands choose persons.

WITH

chosen_sessions AS (
    SELECT session_id, session, date, hands_agreed, hands AS session_hands
    FROM private.sessions
    WHERE
        (len($sessions::VARCHAR[]) = 0 OR list_contains($sessions::VARCHAR[], session))
        AND (len($games::VARCHAR[]) = 0 OR list_contains($games::VARCHAR[], game))
        AND ($since::DATE IS NULL OR date >= $since::DATE)
        AND ($until::DATE IS NULL OR date <= $until::DATE)
),

-- A hand counts if it was played to its end (so it is not void) and is legal. A wrong payment does not unmake it.
counted AS (
    SELECT session_id, hand, len(names) AS players, names, plays, comet_player, comet_for, comet_use, comet_ply
    FROM private.hands SEMI JOIN chosen_sessions USING (session_id)
    WHERE
        finished AND (legal OR $include_faulty)
        AND (len($sizes::INTEGER[]) = 0 OR list_contains($sizes::INTEGER[], len(names)))
),

-- A person in a hand. Amounts as recorded are NULL, and so left out, where the hand records no payments; the parts
-- also where it records nothing but stacks.
seated AS (
    SELECT
        session_id, hand, position, cards_dealt, players, won, cards_left,
        person(seats.player, $spellings, $persons) AS player,
        CASE WHEN $as_recorded THEN recorded_net ELSE net_pot + net_comet + net_cards END AS net,
        CASE WHEN $as_recorded THEN recorded_pot ELSE net_pot END AS net_pot,
        CASE WHEN $as_recorded THEN recorded_comet ELSE net_comet END AS net_comet,
        CASE WHEN $as_recorded THEN recorded_cards ELSE net_cards END AS net_cards,
        played_comet,
        -- Who played it was dealt it, also where the deal is not known and `held_comet` is NULL.
        held_comet OR played_comet AS dealt_comet,
        held_comet AND comet_player IS NULL AS stuck_comet,
        CASE WHEN played_comet THEN comet_use END AS comet_use,
        CASE WHEN played_comet THEN comet_for END AS comet_for,
        CASE WHEN played_comet THEN comet_ply::INTEGER - 1 END AS plays_before,
        nullif(plays::INTEGER - 1, 0) AS plays_beside
    FROM private.seats JOIN counted USING (session_id, hand)
),

-- Who played often enough, and of them who is meant.
frequent AS (SELECT player FROM seated GROUP BY player HAVING count(*) >= $min_hands),
meant AS (
    SELECT player FROM frequent WHERE len($players::VARCHAR[]) = 0 OR list_contains($players::VARCHAR[], player)
),

-- A run of a hand that counts, with who opened and who closed it.
played_runs AS (
    SELECT
        suit, stop, left(cards, 2)::card AS opened_with, len(positions) AS length, opener_cards,
        suits_held, longest, suit_length,
        person(opener, $spellings, $persons) AS opener,
        person(closer, $spellings, $persons) AS closer
    FROM private.runs SEMI JOIN counted USING (session_id, hand)
),

