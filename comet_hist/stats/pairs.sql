-- Who paid whom: a row an ordered pair of persons who sat together. What a winner got from the pot came from everybody's
-- antes, so each ante counts as paid to who got the pot of that hand.

paid AS NOT MATERIALIZED (
    SELECT
        session_id, hand, kind, CASE WHEN $as_recorded THEN recorded ELSE owed END AS amount,
        person(payer, $spellings, $persons) AS payer,
        person(payee, $spellings, $persons) AS payee
    FROM private.payments SEMI JOIN counted USING (session_id, hand)
),

-- One gets the pot; where a record gives it to several, who got the most.
pots AS (
    SELECT session_id, hand, arg_max(payee, (amount, -rank)) AS winner
    FROM (SELECT *, rank() OVER (PARTITION BY session_id, hand ORDER BY payee) AS rank FROM paid WHERE kind = 'pot')
    WHERE payee IS NOT NULL AND amount > 0
    GROUP BY session_id, hand
),

flows AS (
    SELECT payer, payee, kind, sum(amount) AS amount
    FROM paid
    WHERE kind IN ('comet', 'cards', 'transfer') AND payer <> payee
    GROUP BY ALL
    UNION ALL
    SELECT payer, winner, 'pot', sum(amount)
    FROM paid JOIN pots USING (session_id, hand)
    WHERE kind = 'ante' AND payer <> winner
    GROUP BY ALL
),

-- Few tables meet often: they are counted before they are taken apart.
-- A transfer alone records no payment.
recording AS (
    SELECT DISTINCT session_id, hand FROM paid WHERE $as_recorded AND amount IS NOT NULL AND kind <> 'transfer'
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
    SEMI JOIN meant ON meant.player IN (pairs.payer, pairs.payee)
    JOIN pairs AS back ON back.payer = pairs.payee AND back.payee = pairs.payer
ORDER BY pairs.payer, pairs.payee
