-- The tables of a data package in DuckDB, from the folder with its unzipped files:
-- unzip data-package.zip && duckdb organisation.db -f package.sql
-- The file then holds personal data: keep it as safe as the records themselves.

-- The columns of a table with the types that datapackage.json gives them. A list is JSON.
CREATE OR REPLACE TEMPORARY MACRO column_types(name) AS (
    SELECT list(CASE field ->> 'type'
        WHEN 'number' THEN 'DOUBLE' WHEN 'boolean' THEN 'BOOLEAN' WHEN 'date' THEN 'DATE'
        WHEN 'datetime' THEN 'TIMESTAMPTZ' WHEN 'array' THEN 'JSON' ELSE 'VARCHAR'
    END ORDER BY position)
    FROM (
        SELECT unnest(fields) AS field, generate_subscripts(fields, 1) AS position
        FROM (
            SELECT from_json(resource -> '$.schema.fields', '["JSON"]') AS fields
            FROM (SELECT unnest(resources) AS resource FROM read_json('datapackage.json', columns = {resources: 'JSON[]'}))
            WHERE resource ->> 'name' = name
        )
    )
);
CREATE OR REPLACE TEMPORARY MACRO package_table(name) AS TABLE
FROM read_csv(
    name || '.csv', header = true, delim = ',', quote = '"', escape = '"', new_line = '\r\n',
    types = getvariable('types'), max_line_size = 10000000
);

SET VARIABLE types = column_types('members');
CREATE OR REPLACE TABLE members AS FROM package_table('members');
SET VARIABLE types = column_types('volunteers');
CREATE OR REPLACE TABLE volunteers AS FROM package_table('volunteers');
SET VARIABLE types = column_types('partners');
CREATE OR REPLACE TABLE partners AS FROM package_table('partners');
SET VARIABLE types = column_types('events');
CREATE OR REPLACE TABLE events AS FROM package_table('events');
SET VARIABLE types = column_types('bookings');
CREATE OR REPLACE TABLE bookings AS FROM package_table('bookings');
SET VARIABLE types = column_types('forms');
CREATE OR REPLACE TABLE forms AS FROM package_table('forms');
SET VARIABLE types = column_types('survey-responses');
CREATE OR REPLACE TABLE survey_responses AS FROM package_table('survey-responses');
SET VARIABLE types = column_types('case-notes');
CREATE OR REPLACE TABLE case_notes AS FROM package_table('case-notes');
SET VARIABLE types = column_types('funds');
CREATE OR REPLACE TABLE funds AS FROM package_table('funds');
SET VARIABLE types = column_types('grant-applications');
CREATE OR REPLACE TABLE grant_applications AS FROM package_table('grant-applications');
SET VARIABLE types = column_types('disbursements');
CREATE OR REPLACE TABLE disbursements AS FROM package_table('disbursements');
