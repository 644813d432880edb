-- The public views: their names, columns, types and meaning stay (docs/database.md).

CREATE VIEW sources AS
SELECT
    source, path, sha256, bytes, loaded_at,
    count(sessions.session) AS sessions,
    coalesce(sum(sessions.hands), 0)::BIGINT AS hands,
    coalesce(sum(sessions.legal_hands), 0)::BIGINT AS legal_hands
FROM private.sources LEFT JOIN private.sessions AS sessions USING (source)
GROUP BY ALL;

CREATE VIEW sessions AS
SELECT
    session, source, date, place, language, game, ante, comet, card, progressive, hands_agreed, players, hands,
    legal_hands, chip, currency
FROM private.sessions;

CREATE VIEW hands AS
SELECT
    session, hand, time, nullif(len(names), 0)::UTINYINT AS players, names[-1] AS dealer, names[run_openers[1]] AS opener,
    names[winner] AS winner, legal, audit, void, plays, runs, cards_left, names[comet_holder] AS comet_holder,
    names[comet_player] AS comet_player, comet_for, comet_use, comet_ply, comet_payment, pot
FROM private.hands JOIN (SELECT session_id, session FROM private.sessions) USING (session_id);

CREATE VIEW seats AS
SELECT
    session, hand, player, seat, position, cards_dealt, cards_left, won, held_comet, played_comet,
    net_pot + net_comet + net_cards AS net, net_pot, net_comet, net_cards, recorded_net, stack_before, stack_after
FROM private.seats JOIN (SELECT session_id, session FROM private.sessions) USING (session_id);

CREATE VIEW deals AS
SELECT session, hand, player, pack.card
FROM
    private.seats
    JOIN (SELECT session_id, session FROM private.sessions) USING (session_id)
    JOIN private.pack ON (dealt >> number) & 1 = 1;

CREATE VIEW runs AS
WITH made AS (
    SELECT *, generate_subscripts(run_suits, 1)::UTINYINT AS run
    FROM
        (SELECT * EXCLUDE (runs) FROM private.hands)
        JOIN (SELECT session_id, session FROM private.sessions) USING (session_id)
)
SELECT
    session, hand, run, private.suit_of(run_suits[run]) AS suit, names[run_openers[run]] AS opener,
    names[run_closers[run]] AS closer, private.card_of(made.opened_with[run]) AS opened_with, run_lengths[run] AS length,
    private.stop_of(run_stops[run]) AS stop
FROM made;

CREATE VIEW plays AS
WITH laid AS (
    SELECT *, generate_subscripts(cards, 1)::UTINYINT AS ply
    FROM private.hands JOIN (SELECT session_id, session FROM private.sessions) USING (session_id)
)
SELECT
    session, hand, ply, bit_count(openings & ((1::BIGINT << ply) - 1))::UTINYINT AS run,
    names[positions[ply]] AS player, private.card_of(cards[ply]) AS card,
    CASE WHEN ply = comet_ply THEN comet_for END AS stands_for,
    CASE WHEN ply = comet_ply THEN laid.comet_use END AS comet_use
FROM laid;

CREATE VIEW payments AS
SELECT session, hand, kind, payer, payee, owed, recorded
FROM private.payments JOIN (SELECT session_id, session FROM private.sessions) USING (session_id);

-- What a file says of a session that another file brought first is not said twice; E206 is.
CREATE VIEW private.told AS
SELECT findings.*
FROM private.findings LEFT JOIN private.claims USING (source, session)
WHERE standing IS DISTINCT FROM 'same' OR code = 'E206';

CREATE VIEW findings AS
SELECT source, session, hand, line, "column", code, severity, message FROM private.told;
