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

-- The house rules, from `gap` on, are those of rules.md.
CREATE TABLE private.sessions (
    session_id INTEGER NOT NULL,
    session VARCHAR NOT NULL,
    source INTEGER NOT NULL,
    digest VARCHAR NOT NULL,
    date DATE,
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
    chip DECIMAL(18, 6),
    currency VARCHAR,
    gap VARCHAR,
    led VARCHAR,
    keep VARCHAR,
    standin VARCHAR,
    first VARCHAR,
    suit VARCHAR
);

-- `names` are the players by position: names[1] sits left of the dealer. `finished`: played to its end.
CREATE TABLE private.hands (
    session_id INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    time TIME,
    names VARCHAR[] NOT NULL,
    opener VARCHAR,
    winner VARCHAR,
    finished BOOLEAN NOT NULL,
    legal BOOLEAN,
    audit audit,
    void BOOLEAN NOT NULL,
    plays UTINYINT,
    runs UTINYINT,
    cards_left UTINYINT,
    comet_holder VARCHAR,
    comet_player VARCHAR,
    comet_for card,
    comet_use comet_use,
    comet_ply UTINYINT,
    comet_payment BIGINT,
    pot BIGINT
);

-- `dealt` has bit n for card n of the pack. The recorded parts are NULL where no payments are recorded.
CREATE TABLE private.seats (
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
    recorded_net BIGINT,
    recorded_pot BIGINT,
    recorded_comet BIGINT,
    recorded_cards BIGINT,
    stack_before BIGINT,
    stack_after BIGINT
);

-- A run with its plays: `cards` holds two letters a card, `positions` one digit a card, 1 = left of the dealer;
-- `first_ply` is the ply of its first card. `suits_held` and `longest` tell of its opener just before it was
-- opened: how many suits they held, whether they held no suit longer than the one they chose, and how many cards of it
-- they held, the first of the run included; NULL where their hand is not known.
CREATE TABLE private.runs (
    session_id INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    run UTINYINT NOT NULL,
    suit suit NOT NULL,
    opener VARCHAR NOT NULL,
    closer VARCHAR NOT NULL,
    stop stop,
    first_ply UTINYINT NOT NULL,
    cards VARCHAR NOT NULL,
    positions VARCHAR NOT NULL,
    opener_cards UTINYINT NOT NULL,
    suits_held UTINYINT,
    longest BOOLEAN,
    suit_length UTINYINT
);

-- Of a hand that is not legal: `turns[n + 1]` is what the table says after n plays, as the head of turns.py tells. After a
-- fault this does not follow from the plays alone, as it does in every other hand.
CREATE TABLE private.faulty (
    session_id INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    turns VARCHAR[] NOT NULL
);

CREATE TABLE private.payments (
    session_id INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    kind payment NOT NULL,
    payer VARCHAR,
    payee VARCHAR,
    owed BIGINT NOT NULL,
    recorded BIGINT
);

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
