-- Who paid whom: a row an ordered pair of persons who sat together. What a winner got from the pot came from everybody's
-- antes, so each ante counts as paid to who got the pot of that hand.

-- One gets the pot: who won; where a record says otherwise who got the most, and of equals the first by name.
given AS NOT MATERIALIZED (
    SELECT
        names, payment_kinds, payers, payees, payments_owed, payments_more,
        CASE
            WHEN $as_recorded AND len(payments_more) > 0 THEN list_sort([
                (-(payments_owed[x] + payments_more[x]), person(names[payees[x]], $spellings, $persons))
                FOR x IN range(1, len(payment_kinds) + 1)
                IF private.payment_of(payment_kinds[x]) = 'pot' AND payees[x] > 0 AND payments_owed[x] + payments_more[x] > 0
            ])[1][2]
            ELSE names[winner]
        END AS pot_winner
    FROM counted
),
paid AS NOT MATERIALIZED (
    SELECT
        private.payment_of(payment_kinds[payment]) AS kind, names[payers[payment]] AS payer,
        CASE WHEN kind = 'ante' THEN pot_winner ELSE names[payees[payment]] END AS payee,
        CASE
            WHEN NOT $as_recorded OR payments_more IS NULL OR kind = 'transfer' THEN payments_owed[payment]
            ELSE payments_owed[payment] + payments_more[payment]
        END AS amount
    FROM (SELECT *, generate_subscripts(payment_kinds, 1) AS payment FROM given)
),

-- By name first, of which there are few, then by person.
named AS (SELECT payer, payee, kind, sum(amount) AS amount FROM paid GROUP BY ALL),
flows AS (
    SELECT
        kind, amount, person(named.payer, $spellings, $persons) AS payer,
        person(named.payee, $spellings, $persons) AS payee
    FROM named
),

-- Few tables meet often: they are counted before they are taken apart. Whether a hand records payments stands with each
-- of its seats.
recording AS (
    SELECT session_id, hand
    FROM private.seats JOIN chosen_sessions USING (session_id)
    WHERE $as_recorded AND position = 1 AND recorded_pot IS NOT NULL
),
tables AS (
    SELECT names, count(*) AS hands, count(*) FILTER (NOT $as_recorded OR recording.hand IS NOT NULL) AS amounts
    FROM counted LEFT JOIN recording USING (session_id, hand)
    GROUP BY names
),
sitting AS (
    SELECT
        names, hands, amounts, unnest(names) AS name,
        person(name, $spellings, $persons) AS player
    FROM tables
),
met AS (
    SELECT one.player AS payer, other.player AS payee, sum(one.hands) AS hands, sum(one.amounts) AS amounts
    FROM sitting AS one JOIN sitting AS other ON one.names = other.names AND one.player <> other.player
    GROUP BY ALL
),

pairs AS (
    SELECT
        payer, payee, any_value(hands)::BIGINT AS hands,
        CASE WHEN any_value(amounts) > 0 THEN coalesce(sum(amount) FILTER (kind = 'ante'), 0)::BIGINT END AS pot,
        CASE WHEN any_value(amounts) > 0 THEN coalesce(sum(amount) FILTER (kind = 'comet'), 0)::BIGINT END AS comet,
        CASE WHEN any_value(amounts) > 0 THEN coalesce(sum(amount) FILTER (kind = 'cards'), 0)::BIGINT END AS cards,
        coalesce(sum(amount) FILTER (kind = 'transfer'), 0)::BIGINT AS transfer
    FROM met LEFT JOIN flows USING (payer, payee)
    GROUP BY payer, payee
)

SELECT
    pairs.payer, pairs.payee, pairs.hands, pairs.pot, pairs.comet, pairs.cards,
    pairs.pot + pairs.comet + pairs.cards AS paid,
    back.pot + back.comet + back.cards AS received,
    received - paid AS balance,
    pairs.transfer
FROM
    pairs
    SEMI JOIN frequent AS payers ON payers.player = pairs.payer
    SEMI JOIN frequent AS payees ON payees.player = pairs.payee
    JOIN pairs AS back ON back.payer = pairs.payee AND back.payee = pairs.payer
WHERE pairs.payer IN (FROM meant) OR pairs.payee IN (FROM meant)
ORDER BY pairs.payer, pairs.payee
