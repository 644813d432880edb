-- How many hands are behind a statistic: those that are meant, those of them that count, those of these that record
-- amounts; and how many sessions are left out for want of a date.

-- Whether a hand records amounts stands with each of its seats.
recording AS (
    SELECT count(*) AS hands
    FROM private.seats JOIN chosen_sessions USING (session_id)
    WHERE
        position = 1 AND recorded_net IS NOT NULL AND counts_here(counts, $include_faulty)
        AND is_meant(seats.players, $sizes::INTEGER[])
),

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
        FROM private.hands JOIN chosen_sessions USING (session_id)
        WHERE NOT void AND is_meant(len(names), $sizes::INTEGER[])
    ),
    (SELECT count(*) FROM counted),
    (SELECT hands FROM recording),
    (SELECT sessions FROM undated)
