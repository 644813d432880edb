-- What several statistics work out in the same way.

-- Wilson's interval for a share of k among n, z = 1.959964 for 95 %:
-- (k/n + z²/2n ± z √(k/n (1 − k/n)/n + z²/4n²)) / (1 + z²/n). It holds the share itself, also after rounding.
CREATE OR REPLACE TEMP MACRO wilson(k, n, side) AS
    (k / n + 3.841458820694124::DOUBLE / (2 * n)
        + side * 1.959963984540054::DOUBLE * sqrt(k / n * (1 - k / n) / n + 3.841458820694124::DOUBLE / (4.0 * n * n)))
    / (1 + 3.841458820694124::DOUBLE / n);
CREATE OR REPLACE TEMP MACRO wilson_low(k, n) AS CASE WHEN n > 0 THEN least(greatest(wilson(k, n, -1), 0), k / n) END;
CREATE OR REPLACE TEMP MACRO wilson_high(k, n) AS CASE WHEN n > 0 THEN greatest(least(wilson(k, n, 1), 1), k / n) END;

-- The standard error of a mean. Sums of fractions differ in their last places by the order of the rows, which is not
-- always the same.
CREATE OR REPLACE TEMP MACRO standard_error(x) AS round(stddev_samp(x) / sqrt(count(x)), 12);

-- Who is meant by a name: the person whose spelling it is, else itself.
CREATE OR REPLACE TEMP MACRO person(name, spellings, persons) AS
    CASE
        WHEN len(spellings::VARCHAR[]) = 0 THEN name
        ELSE coalesce(list_extract(persons::VARCHAR[], list_position(spellings::VARCHAR[], name)), name)
    END;

-- Which hands and persons are meant.
CREATE OR REPLACE TEMP MACRO counts_here(counts, include_faulty) AS counts OR (include_faulty AND counts IS NOT NULL);
CREATE OR REPLACE TEMP MACRO is_meant(value, chosen) AS len(chosen) = 0 OR list_contains(chosen, value);
