-- Who paid whom: a row an ordered pair of persons who sat together. What a winner got from the pot came from everybody's
-- antes, so each ante counts as paid to who got the pot of that hand.

paid AS NOT MATERIALIZED (
    SELECT session_id, hand, kind, payer, payee, CASE WHEN $as_recorded THEN recorded ELSE owed END AS amount
    FROM private.payments JOIN chosen_sessions USING (session_id)
    WHERE counts_here(counts, $include_faulty) AND is_meant(players, $sizes::INTEGER[])
),

-- One gets the pot; where a record gives it to several, who got the most, and of equals the first by name.
pots AS (
    SELECT session_id, hand, min((-amount, person(payee, $spellings, $persons)))[2] AS winner
    FROM paid
    WHERE kind = 'pot' AND payee IS NOT NULL AND amount > 0
    GROUP BY session_id, hand
),

-- By name first, of which there are few, then by person.
named AS (
    SELECT payer, payee, kind, sum(amount) AS amount
    FROM paid
    WHERE kind IN ('comet', 'cards', 'transfer')
    GROUP BY ALL
    UNION ALL
    SELECT payer, winner, 'pot', sum(amount)
    FROM paid JOIN pots USING (session_id, hand)
    WHERE kind = 'ante'
    GROUP BY ALL
),
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
        CASE WHEN any_value(amounts) > 0 THEN coalesce(sum(amount) FILTER (kind = 'pot'), 0)::BIGINT END AS pot,
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
