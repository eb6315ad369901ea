import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { refusal } from './refused.ts'

test.each([...env.TEST_MIGRATIONS, ...env.TEST_GEOGRAPHY_MIGRATIONS])(
  '$name leaves every table where it is',
  ({ queries }) => {
    for (const query of queries) expect(refusal(query), query).toBeUndefined()
  },
)

test.each([
  ['DROP TABLE records', 'drops a table'],
  ['drop\n\ttable if exists main."records"', 'drops a table'],
  ['/* away */ DROP -- with\n TABLE records', 'drops a table'],
  ['ALTER TABLE api_keys DROP COLUMN last_used', 'drops a column'],
  ['alter table "api keys" drop last_used', 'drops a column'],
  ['ALTER TABLE terms RENAME TO words', 'renames a table or a column'],
  ['ALTER TABLE main.terms\nRENAME COLUMN count TO number', 'renames a table or a column'],
  ['CREATE TABLE __new_records (id TEXT)', 'rebuilds a table'],
  ['CREATE TABLE `__new_records` (id TEXT)', 'rebuilds a table'],
  ['INSERT INTO "__new_records" SELECT * FROM records', 'rebuilds a table'],
  ['PRAGMA writable_schema = 1', 'rewrites the schema'],
])('%j is refused with the reason', (statement, does) => {
  expect(refusal(statement)).toMatch(`This ${does}. Leave what is there, and put beside it`)
})

test.each([
  'ALTER TABLE api_keys ADD COLUMN expires TEXT',
  "ALTER TABLE api_keys ADD COLUMN note TEXT DEFAULT 'DROP or RENAME'",
  'ALTER TABLE api_keys ADD COLUMN "drop" TEXT',
  'DROP TRIGGER records_inserted',
  'DROP VIEW leaves',
  'DROP INDEX records_by_id',
  '-- Not DROP TABLE records.\nCREATE TABLE more (id TEXT) STRICT',
  "INSERT INTO audit_log (action) VALUES ('DROP TABLE records')",
])('%j is allowed', (statement) => {
  expect(refusal(statement)).toBeUndefined()
})
