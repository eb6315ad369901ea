import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import page from '../docs/personal-data.md?raw'

/** Text columns without personal data, in any table. */
const impersonal = ['organisation_id', 'collection', 'created', 'changed', 'at', 'expires', 'hash']

/** Text columns without personal data, by table. */
const impersonalIn: Record<string, string[]> = {
  organisations: [
    'id',
    'name',
    'database',
    'moving_to',
    'measured',
    'measuring',
    'cursor_key',
    'set_up_tasks',
  ],
  records: ['updated', 'field_versions'],
  schemas: ['kind', 'name'],
  deletions: ['audience'],
  event_versions: ['event_id'],
  history: ['change'],
  imports: ['edited', 'finished', 'ordinals', 'undo', 'undone', 'undo_lease'],
  import_mappings: ['headings', 'mapping', 'last_used'],
  saved_views: ['id', 'page'],
  duplicate_checks: ['checked'],
  known_details: ['month', 'field'],
  packed_columns: ['field', 'term_ids'],
  packed_organisations: ['fields'],
  key_usage: ['day', 'key_id'],
  retention_rules: ['field', 'age', 'completed_on', 'last_run'],
  api_keys: [
    'id',
    'prefix',
    'revoked',
    'last_used',
    'original_expires',
    'permissions',
    'restrictions',
  ],
  key_origins: ['origin', 'key_id'],
  memberships: ['role'],
  audit_log: ['action'],
  webhooks: [
    ...[
      'id',
      'key_id',
      'collections',
      'changes',
      'secret',
      'previous_secret',
      'previous_secret_until',
      'state',
    ],
    ...['reason', 'failing_since', 'last_success', 'retry_after', 'lease', 'lease_until'],
  ],
  public_pages: ['reminders_checked'],
  sign_ups: ['booking_id', 'event_id', 'held_until', 'delete_after', 'waiting_checked'],
  sign_up_requests: ['id', 'event_id', 'due'],
  mailings: ['id', 'purpose', 'record_id', 'delete_after'],
  mailing_messages: ['mailing_id', 'state', 'due', 'updated'],
  unsubscribe_links: ['used'],
  attendance_marks: ['booking_id', 'org_status'],
  booking_links: ['booking_id'],
  form_links: ['form_id', 'kind', 'used', 'restrictions'],
  sent_mail: ['day'],
  event_questions: ['event_id'],
  webhook_outbox: ['webhook_id', 'message_id', 'type', 'first_attempt', 'due'],
  webhook_attempts: ['webhook_id', 'attempted', 'message_id', 'type', 'failure'],
}

type Column = { table: string; name: string; type: string }

/** The tables of a database as its migrations leave it, each with its columns. */
async function tablesOf(db: D1Database): Promise<Map<string, Column[]>> {
  const { results } = await db
    .prepare(
      `SELECT tables.name AS "table", columns.name, columns.type
        FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name <> 'd1_migrations'
          AND substr(tables.name, 1, 4) <> '_cf_' AND substr(tables.name, 1, 7) <> 'sqlite_'`,
    )
    .all<Column>()
  return Map.groupBy(results, ({ table }) => table)
}

/** The tables of a part of the data map, each with the columns that it names as what may be personal. */
function mapped(part: string): Map<string, string[]> {
  const [, below = ''] = page.split(`\n### The database \`${part}\`\n`)
  const [rows = ''] = below.split('\n#')
  return new Map(
    [...rows.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, table = '', contents = '']) => [
      table,
      [...contents.matchAll(/`(\w+)`/g)].map(([, column = '']) => column),
    ]),
  )
}

test.each([
  ['records', env.DB],
  ['geography', env.GEOGRAPHY],
])('the data map has the tables of %s, and no others', async (name, db) => {
  const tables = await tablesOf(db)
  expect([...mapped(name).keys()].toSorted()).toEqual([...tables.keys()].toSorted())
})

test('the data map names every text column that can hold personal data', async () => {
  const map = mapped('records')
  for (const [table, columns] of await tablesOf(env.DB)) {
    const documented = map.get(table) ?? []
    const others = [...impersonal, ...(impersonalIn[table] ?? [])]
    const wordy = columns.filter(({ type }) => type !== 'INTEGER').map(({ name }) => name)
    expect([table, wordy.filter((name) => ![...documented, ...others].includes(name))]).toEqual([
      table,
      [],
    ])
    const known = columns.map(({ name }) => name)
    expect([table, documented.filter((name) => !known.includes(name))]).toEqual([table, []])
  }
})
