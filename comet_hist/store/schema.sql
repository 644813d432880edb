-- The types and tables beneath the views. Tables are private: only the views (views.sql) are promised.
--
-- No table has a primary key: an index on a big table costs two thirds of the loading rate. That a session is
-- loaded once is kept by the loader, in the same transaction.

CREATE SCHEMA private;

-- The layout of this file; a program that knows another one leaves the file alone.
CREATE TABLE private.comet_hist (schema_version INTEGER NOT NULL);

CREATE TYPE suit AS ENUM ('c', 'd', 'h', 's');
CREATE TYPE card AS ENUM (
    'Ac', '2c', '3c', '4c', '5c', '6c', '7c', '8c', '9c', 'Tc', 'Jc', 'Qc', 'Kc',
    'Ad', '2d', '3d', '4d', '5d', '6d', '7d', '8d', '9d', 'Td', 'Jd', 'Qd', 'Kd',
    'Ah', '2h', '3h', '4h', '5h', '6h', '7h', '8h', '9h', 'Th', 'Jh', 'Qh', 'Kh',
    'As', '2s', '3s', '4s', '5s', '6s', '7s', '8s', '9s', 'Ts', 'Js', 'Qs', 'Ks'
);
CREATE TYPE comet_use AS ENUM ('gap', 'rescue', 'preempt', 'own', 'led');
CREATE TYPE stop AS ENUM ('king', 'gap', 'played', 'out');
CREATE TYPE audit AS ENUM ('ok', 'wrong', 'unrecorded');
CREATE TYPE payment AS ENUM ('ante', 'comet', 'cards', 'pot', 'transfer');
CREATE TYPE severity AS ENUM ('error', 'warning');

-- What numbers in lists stand for: cards count from 0, the others from 1, with 0 for none.
CREATE MACRO private.card_of(number) AS (enum_range(NULL::card)::card[])[number + 1];
CREATE MACRO private.suit_of(number) AS (enum_range(NULL::suit)::suit[])[number];
CREATE MACRO private.stop_of(number) AS (enum_range(NULL::stop)::stop[])[number];
CREATE MACRO private.payment_of(number) AS (enum_range(NULL::payment)::payment[])[number];

-- The pack of 52 names by number, so that a hand kept as bits can be taken apart.
CREATE TABLE private.pack AS
SELECT number::UTINYINT AS number, name::card AS card
FROM (SELECT unnest(range(52)) AS number, unnest(enum_range(NULL::card)) AS name);

CREATE TABLE private.sources (
    source INTEGER NOT NULL,
    path VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    bytes BIGINT NOT NULL,
    loaded_at TIMESTAMP NOT NULL
);

-- What each file says of each session: `loaded` if its rows come from this file, `same` if another file brought the
-- same session first, `differs` if another file brought a different one of that name (E206).
CREATE TYPE private.standing AS ENUM ('loaded', 'same', 'differs');
CREATE TABLE private.claims (
    source INTEGER NOT NULL,
    session VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    standing private.standing NOT NULL
);

-- `began` is the time of the `Date` line, by the clock of the place. `hands_left_out` are the hands of the record that are
-- not in `hands`, since nobody knows their numbers (E205), and so are missing from debts. The house rules, from `gap` on,
-- are those of rules.md.
CREATE TABLE private.sessions (
    session_id INTEGER NOT NULL,
    session VARCHAR NOT NULL,
    source INTEGER NOT NULL,
    digest VARCHAR NOT NULL,
    date DATE,
    began TIME,
    place VARCHAR,
    language VARCHAR NOT NULL,
    game VARCHAR,
    ante BIGINT,
    comet BIGINT,
    card BIGINT,
    progressive BOOLEAN,
    hands_agreed INTEGER,
    players INTEGER NOT NULL,
    hands INTEGER NOT NULL,
    legal_hands INTEGER NOT NULL,
    hands_left_out INTEGER NOT NULL,
    chip DECIMAL(18, 6),
    currency VARCHAR,
    gap VARCHAR,
    led VARCHAR,
    keep VARCHAR,
    standin VARCHAR,
    first VARCHAR,
    suit VARCHAR
);

-- `names` are the players by position: names[1] sits left of the dealer; `winner`, `comet_holder` and `comet_player` are
-- positions. `finished`: played to its end. `cards` are the plays in order, `positions` the player of each, and bit n of `openings` says that play n, the first being 0, opens a
-- run: a play stands in the same row as the names, since a join of tens of millions of plays would cost seconds.
--
-- Runs and payments are lists as well, since a row of its own costs each thrice as much. Of each run: its suit, the positions
-- of who opened and who closed it, why it stopped, its first card, its cards, and those of them that its opener played. The
-- next three tell of its opener just before it was opened: how many suits they held, whether they held no suit longer than
-- the one they chose, and how many cards of it they held, the first of the run included; NULL where the deal is not known.
--
-- `payers` and `payees` are positions, 0 for the pot; `payments_owed` chips. `payments_more` is what is recorded of each
-- beyond what is owed: NULL where all are recorded as they are owed, empty where none is; a transfer is owed as it is
-- recorded. `parties` are the names that the positions of payments stand for, NULL where these are `names`: only a void
-- hand, which has no `names`, has others.
CREATE TABLE private.hands (
    session_id INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    time TIME,
    names VARCHAR[] NOT NULL,
    winner UTINYINT,
    finished BOOLEAN NOT NULL,
    legal BOOLEAN,
    audit audit,
    void BOOLEAN NOT NULL,
    plays UTINYINT,
    runs UTINYINT,
    cards_left UTINYINT,
    comet_holder UTINYINT,
    comet_player UTINYINT,
    comet_for card,
    comet_use comet_use,
    comet_ply UTINYINT,
    comet_payment BIGINT,
    pot BIGINT,
    cards UTINYINT[] NOT NULL,
    positions UTINYINT[] NOT NULL,
    openings BIGINT NOT NULL,
    run_suits UTINYINT[] NOT NULL,
    run_openers UTINYINT[] NOT NULL,
    run_closers UTINYINT[] NOT NULL,
    run_stops UTINYINT[] NOT NULL,
    opened_with UTINYINT[] NOT NULL,
    run_lengths UTINYINT[] NOT NULL,
    opener_cards UTINYINT[] NOT NULL,
    suits_held UTINYINT[],
    longest BOOLEAN[],
    suit_lengths UTINYINT[],
    payment_kinds UTINYINT[] NOT NULL,
    payers UTINYINT[] NOT NULL,
    payees UTINYINT[] NOT NULL,
    payments_owed BIGINT[] NOT NULL,
    payments_more BIGINT[],
    parties VARCHAR[]
);

-- The last two columns tell of the hand, and spare the statistics a join with it: the `players` at the table; and whether
-- it `counts`, which is true if it was played to its end and is legal, false if it was played to its end and is not, or not
-- wholly checked, and NULL if it was not.
--
-- `dealt` has bit n for card n of the pack. `more` is what is recorded beyond what is owed, of all chips, then of those of
-- the pot, the Comet and the cards: NULL where all is recorded as it is owed, and without what is not recorded at its end.
-- `private.seats` shows it as it was written.
CREATE TABLE private.kept_seats (
    session_id INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    position UTINYINT NOT NULL,
    player VARCHAR NOT NULL,
    seat UTINYINT NOT NULL,
    dealt BIGINT NOT NULL,
    cards_dealt UTINYINT,
    cards_left UTINYINT,
    won BOOLEAN NOT NULL,
    held_comet BOOLEAN,
    played_comet BOOLEAN NOT NULL,
    net_pot BIGINT NOT NULL,
    net_comet BIGINT NOT NULL,
    net_cards BIGINT NOT NULL,
    more BIGINT[],
    stack_before BIGINT,
    stack_after BIGINT,
    players UTINYINT NOT NULL,
    counts BOOLEAN
);

CREATE VIEW private.seats AS
SELECT
    session_id, hand, position, player, seat, dealt, cards_dealt, cards_left, won, held_comet, played_comet,
    net_pot, net_comet, net_cards,
    net_pot + net_comet + net_cards + CASE WHEN more IS NULL THEN 0 ELSE more[1] END AS recorded_net,
    net_pot + CASE WHEN more IS NULL THEN 0 ELSE more[2] END AS recorded_pot,
    net_comet + CASE WHEN more IS NULL THEN 0 ELSE more[3] END AS recorded_comet,
    net_cards + CASE WHEN more IS NULL THEN 0 ELSE more[4] END AS recorded_cards,
    stack_before, stack_after, players, counts
FROM private.kept_seats;

-- Of a hand that is not legal: `turns[n + 1]` is what the table says after n plays, as the head of turns.py tells. After a
-- fault this does not follow from the plays alone, as it does in every other hand.
CREATE TABLE private.faulty (
    session_id INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    turns VARCHAR[] NOT NULL
);

CREATE VIEW private.payments AS
SELECT
    session_id, hand, private.payment_of(payment_kinds[payment]) AS kind,
    coalesce(names[payers[payment]], parties[payers[payment]]) AS payer,
    coalesce(names[payees[payment]], parties[payees[payment]]) AS payee,
    payments_owed[payment] AS owed,
    CASE
        WHEN payments_more IS NULL OR kind = 'transfer' THEN owed
        ELSE owed + payments_more[payment]
    END AS recorded,
    len(names)::UTINYINT AS players,
    CASE WHEN finished THEN legal IS NOT DISTINCT FROM true END AS counts
FROM (SELECT *, generate_subscripts(payment_kinds, 1) AS payment FROM private.hands);

-- `ply` is the play that it is about, NULL where it is about none.
CREATE TABLE private.findings (
    source INTEGER NOT NULL,
    session VARCHAR,
    hand INTEGER,
    line INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    end_column INTEGER NOT NULL,
    code VARCHAR NOT NULL,
    severity severity NOT NULL,
    message VARCHAR NOT NULL,
    ply UTINYINT
);
