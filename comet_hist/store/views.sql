-- The public views: their names, columns, types and meaning stay (docs/database.md).
--
-- Whole numbers leave the views signed, and wide enough to be subtracted, added and multiplied: INTEGER where the pack or
-- the table bounds them, BIGINT elsewhere. The tables keep them as narrow as they are.

CREATE VIEW sources AS
SELECT
    source::BIGINT AS source, path, sha256, bytes, loaded_at,
    count(sessions.session) AS sessions,
    coalesce(sum(sessions.hands), 0)::BIGINT AS hands,
    coalesce(sum(sessions.legal_hands), 0)::BIGINT AS legal_hands
FROM private.sources LEFT JOIN private.sessions AS sessions USING (source)
GROUP BY ALL;

CREATE VIEW sessions AS
SELECT
    session, source::BIGINT AS source, date, place, language, game, ante, comet, card, progressive,
    hands_agreed::BIGINT AS hands_agreed, players::BIGINT AS players, hands::BIGINT AS hands,
    legal_hands::BIGINT AS legal_hands, chip, currency
FROM private.sessions;

CREATE VIEW hands AS
SELECT
    session, hand::BIGINT AS hand, time, nullif(len(names), 0)::INTEGER AS players, names[-1] AS dealer,
    names[run_openers[1]] AS opener, names[winner] AS winner, legal, audit, void, plays::INTEGER AS plays,
    runs::INTEGER AS runs, cards_left::INTEGER AS cards_left, names[comet_holder] AS comet_holder,
    names[comet_player] AS comet_player, comet_for, comet_use, comet_ply::INTEGER AS comet_ply, comet_payment, pot
FROM private.hands JOIN (SELECT session_id, session FROM private.sessions) USING (session_id);

CREATE VIEW seats AS
SELECT
    session, hand::BIGINT AS hand, player, seat::INTEGER AS seat, position::INTEGER AS position,
    cards_dealt::INTEGER AS cards_dealt, cards_left::INTEGER AS cards_left, won, held_comet, played_comet,
    net_pot + net_comet + net_cards AS net, net_pot, net_comet, net_cards, recorded_net, stack_before, stack_after
FROM private.seats JOIN (SELECT session_id, session FROM private.sessions) USING (session_id);

CREATE VIEW deals AS
SELECT session, hand::BIGINT AS hand, player, pack.card
FROM
    private.seats
    JOIN (SELECT session_id, session FROM private.sessions) USING (session_id)
    JOIN private.pack ON (dealt >> number) & 1 = 1;

CREATE VIEW runs AS
WITH made AS (
    SELECT *, generate_subscripts(run_suits, 1) AS run
    FROM
        (SELECT * EXCLUDE (runs) FROM private.hands)
        JOIN (SELECT session_id, session FROM private.sessions) USING (session_id)
)
SELECT
    session, hand::BIGINT AS hand, made.run::INTEGER AS run, private.suit_of(run_suits[made.run]) AS suit,
    names[run_openers[made.run]] AS opener, names[run_closers[made.run]] AS closer,
    private.card_of(made.opened_with[made.run]) AS opened_with, run_lengths[made.run]::INTEGER AS length,
    private.stop_of(run_stops[made.run]) AS stop
FROM made;

CREATE VIEW plays AS
WITH laid AS (
    SELECT *, generate_subscripts(cards, 1) AS ply
    FROM private.hands JOIN (SELECT session_id, session FROM private.sessions) USING (session_id)
)
SELECT
    session, hand::BIGINT AS hand, laid.ply::INTEGER AS ply,
    bit_count(openings & ((1::BIGINT << laid.ply) - 1))::INTEGER AS run,
    names[positions[laid.ply]] AS player, private.card_of(cards[laid.ply]) AS card,
    CASE WHEN laid.ply = comet_ply THEN comet_for END AS stands_for,
    CASE WHEN laid.ply = comet_ply THEN laid.comet_use END AS comet_use
FROM laid;

CREATE VIEW payments AS
SELECT session, hand::BIGINT AS hand, kind, payer, payee, owed, recorded
FROM private.payments JOIN (SELECT session_id, session FROM private.sessions) USING (session_id);

-- What a file says of a session that another file brought first is not said twice; E206 is.
CREATE VIEW private.told AS
SELECT findings.*
FROM private.findings LEFT JOIN private.claims USING (source, session)
WHERE standing IS DISTINCT FROM 'same' OR code = 'E206';

CREATE VIEW findings AS
SELECT
    source::BIGINT AS source, session, hand::BIGINT AS hand, line::BIGINT AS line, "column"::BIGINT AS "column", code,
    severity, message
FROM private.told;
