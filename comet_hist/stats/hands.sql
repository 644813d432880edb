-- How many hands are behind a statistic: those that are meant, those of them that count, those of these that record
-- amounts; and how many sessions are left out for want of a date.

recording AS (SELECT DISTINCT session_id, hand FROM private.seats SEMI JOIN counted USING (session_id, hand)
    WHERE recorded_net IS NOT NULL),

undated AS (
    SELECT count(*) AS sessions
    FROM private.sessions
    WHERE
        ($since::DATE IS NOT NULL OR $until::DATE IS NOT NULL) AND date IS NULL
        AND (len($sessions::VARCHAR[]) = 0 OR list_contains($sessions::VARCHAR[], session))
        AND (len($games::VARCHAR[]) = 0 OR list_contains($games::VARCHAR[], game))
)

SELECT
    (
        SELECT count(*)
        FROM private.hands SEMI JOIN chosen_sessions USING (session_id)
        WHERE NOT void AND (len($sizes::INTEGER[]) = 0 OR list_contains($sizes::INTEGER[], len(names)))
    ),
    (SELECT count(*) FROM counted),
    (SELECT count(*) FROM recording),
    (SELECT sessions FROM undated)
