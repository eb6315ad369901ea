-- Collections as typed tables of DuckDB: API_KEY=sk_... duckdb organisation.db -f collections.sql
-- Needs DuckDB 1.4 or newer; it downloads its extension httpfs the first time. The file then holds
-- personal data: keep it as safe as the records themselves.

-- For another address, replace it here and in the macros. The secret is forgotten when DuckDB ends.
CREATE OR REPLACE TEMPORARY SECRET api (
    TYPE http,
    SCOPE 'http://localhost:8787',
    EXTRA_HTTP_HEADERS MAP {'x-api-key': getenv('API_KEY'), 'Prefer': 'handling=strict'}
);

-- One request for a whole list. DuckDB tries again if the API is busy, after 5, 10, 20, 40 and 80
-- seconds; a transfer that breaks off is an error.
SET force_download = true;
SET http_retries = 5;
SET http_retry_wait_ms = 5000;
SET http_retry_backoff = 2;

-- Events and the like: a column for each property, with objects as STRUCT and lists as LIST.
CREATE OR REPLACE TEMPORARY MACRO collection(name) AS TABLE
FROM read_ndjson('http://localhost:8787/api/v1/' || name || '?$format=ndjson', sample_size = -1);

CREATE OR REPLACE TABLE events AS FROM collection('events');
CREATE OR REPLACE TABLE bookings AS FROM collection('bookings');
CREATE OR REPLACE TABLE forms AS FROM collection('forms');
CREATE OR REPLACE TABLE survey_responses AS FROM collection('survey-responses');
CREATE OR REPLACE TABLE case_notes AS FROM collection('case-notes');
CREATE OR REPLACE TABLE funds AS FROM collection('funds');
CREATE OR REPLACE TABLE grant_applications AS FROM collection('grant-applications');
CREATE OR REPLACE TABLE disbursements AS FROM collection('disbursements');

-- People: the id, and a column for each field that has a value, of the type that the schema gives it.
CREATE OR REPLACE TEMPORARY MACRO read_values(name) AS TABLE
SELECT
    json ->> json_keys(json)[1] AS id,
    unnest(from_json(json -> 'fields', '[{"key": "VARCHAR", "type": "VARCHAR", "value": "JSON"}]'), recursive := true)
FROM read_ndjson_objects('http://localhost:8787/api/v1/' || name || '?$format=ndjson');

CREATE OR REPLACE TEMPORARY TABLE person_values AS FROM read_values('members');
CREATE OR REPLACE TEMPORARY MACRO column_types() AS (
    SELECT json_group_object(key, column_type::JSON)
    FROM (
        SELECT key, if(any_value(type) = 'date', '"DATE"', json_group_structure(value)) AS column_type
        FROM person_values
        GROUP BY key
    )
);
CREATE OR REPLACE TEMPORARY MACRO people() AS TABLE
SELECT id, unnest(from_json(json_group_object(key, value), getvariable('types')))
FROM person_values
GROUP BY id;

SET VARIABLE types = column_types();
CREATE OR REPLACE TABLE members AS FROM people();

CREATE OR REPLACE TEMPORARY TABLE person_values AS FROM read_values('volunteers');
SET VARIABLE types = column_types();
CREATE OR REPLACE TABLE volunteers AS FROM people();

CREATE OR REPLACE TEMPORARY TABLE person_values AS FROM read_values('partners');
SET VARIABLE types = column_types();
CREATE OR REPLACE TABLE partners AS FROM people();
