import { sql } from 'drizzle-orm/sql'
import { collectionNames } from '../../model/collection.ts'
import { auditInserts, nameActor } from '../audit-entry.ts'
import { recordCount } from '../bitmap/bits.ts'
import { decodeRows, integer, nullable, selectColumns, text } from '../columns.ts'
import { isSettledHere } from '../databases.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { SortedCursor } from '../read/sorted.ts'
import { type Row, statement } from '../statement.ts'
import type { Store } from '../store.ts'
import type { retentionRules } from '../tables.ts'
import { administration } from '../terms.ts'

const ruleColumns = {
  organisationId: text(sql`organisation_id`),
  collection: text(sql`collection`),
  field: text(sql`field`),
  age: text(sql`age`),
  created: text(sql`created`),
  createdBy: text(sql`created_by`),
  completedOn: nullable(text(sql`completed_on`)),
  lastRun: nullable(text(sql`last_run`)),
  cursor: nullable(text(sql`cursor`)),
  removed: integer(sql`removed`),
  kept: integer(sql`kept`),
}

/** A retention rule: deletes a record once the date in `field` is older than `age`. */
export type RetentionRule = typeof retentionRules.$inferSelect

/** The result of one part of a rule's daily run, with the cursor for the next part. */
export type Progress = {
  removed: number
  kept: number
  cursor: SortedCursor | undefined
  isDone: boolean
}

/** Describes a rule in words. */
export const describeRetentionRule = ({
  collection,
  age,
  field,
}: Pick<RetentionRule, 'collection' | 'age' | 'field'>) =>
  `${collection} older than ${age} by ${field}`

/** Sets a collection's rule, replacing any earlier one. */
export async function setRule(
  store: Store,
  { collection, field, age }: Pick<RetentionRule, 'collection' | 'field' | 'age'>,
): Promise<void> {
  const audit = {
    action: 'retention.set',
    target: describeRetentionRule({ collection, age, field }),
  } as const
  const created = new Date().toISOString()
  await store.write({ ...administration, audit }, [
    sql`INSERT INTO retention_rules (organisation_id, collection, field, age, created, created_by)
      SELECT ${store.organisationId}, ${collection}, ${field}, ${age}, ${created}, ${nameActor(store.credential.author)}
      WHERE true
      ON CONFLICT (organisation_id, collection) DO UPDATE SET
        field = excluded.field, age = excluded.age,
        created = excluded.created, created_by = excluded.created_by,
        completed_on = NULL, last_run = NULL, cursor = NULL, removed = 0, kept = 0`,
  ])
}

/** Removes a collection's rule. Returns false if it has none. */
export async function removeRule(store: Store, collection: string): Promise<boolean> {
  const rule = sql`FROM retention_rules WHERE ${ofCollection(store, collection, 'retention_rules')}`
  const { refused } = await store.write(
    {
      ...administration,
      unless: { noRule: sql`NOT EXISTS (SELECT 1 ${rule})` },
      audit: { action: 'retention.removed', target: collection },
    },
    [sql`DELETE ${rule}`],
  )
  return refused === undefined
}

/** Reads an organisation's rules, in the order of `collectionNames`. */
export async function listRules(store: Store): Promise<RetentionRule[]> {
  const { rows } = await store.select({
    rows: {
      columns: ruleColumns,
      from: sql`FROM retention_rules WHERE ${ofOrganisation(store)}`,
    },
  })
  const order = ({ collection }: RetentionRule) => collectionNames.indexOf(collection)
  return rows.toSorted((one, other) => order(one) - order(other))
}

/**
 * Claims the day's next rule: the least recently run of the unfinished rules set before
 * `setBefore`. Returns undefined if all are done.
 */
export async function nextRule(
  d1: D1Database,
  day: string,
  setBefore: string,
): Promise<RetentionRule | undefined> {
  const next = sql`(
    SELECT organisation_id, collection FROM retention_rules WHERE coalesce(completed_on, '') < ${day} AND created < ${setBefore}
      AND ${isSettledHere(sql`retention_rules.organisation_id`)}
    ORDER BY coalesce(last_run, ''), organisation_id, collection LIMIT 1
  )`
  const claim = sql`UPDATE retention_rules SET last_run = ${new Date().toISOString()}
    WHERE (organisation_id, collection) = ${next} RETURNING ${selectColumns(ruleColumns)}`
  const { results } = await statement(d1, claim).all<Row>()
  return decodeRows(ruleColumns, results)[0]
}

/**
 * Saves a rule's progress. When a day is done, adds the number of deleted records to the audit log.
 */
export async function saveProgress(
  d1: D1Database,
  rule: RetentionRule,
  day: string,
  by: string,
  { removed, kept, cursor, isDone }: Progress,
): Promise<void> {
  const isSame = sql`${ofCollection(rule, rule.collection, 'retention_rules')}
    AND created = ${rule.created}`
  const next = cursor && !isDone ? JSON.stringify(cursor) : null
  const sumRemoved = sql`iif(cursor IS NULL, 0, removed) + ${removed}`
  const total = sql`(SELECT ${sumRemoved} FROM retention_rules WHERE ${isSame})`
  const entry = {
    organisationId: rule.organisationId,
    actor: by,
    action: 'records.expired',
    // D1 binds numbers as REAL, so the text would have a decimal point.
    target: sql`CAST(${total} AS INTEGER) || ${` ${describeRetentionRule(rule)}`}`,
  } as const
  await d1.batch([
    ...(isDone ? [statement(d1, auditInserts(entry, sql`WHERE ${total} > 0`))] : []),
    statement(
      d1,
      // A concurrent part of the same day may have finished first.
      sql`UPDATE retention_rules SET removed = ${sumRemoved},
          kept = iif(cursor IS NULL, 0, kept) + ${kept},
          cursor = iif(coalesce(completed_on, '') < ${day}, ${next}, NULL)
          ${isDone ? sql`, completed_on = ${day}` : sql``}
        WHERE ${isSame}`,
    ),
  ])
}

/** Counts a collection's records, and those with a date in the field, from the index alone. */
export async function dateFields(
  store: Store,
  collection: string,
  field: string,
): Promise<{ total: number; dated: number }> {
  const scope = { organisationId: store.organisationId, collection }
  const { head } = await store.select({
    head: {
      total: integer(sql`coalesce(${recordCount(scope)}, 0)`),
      dated: integer(sql`coalesce((
        SELECT sum(count) FROM terms
        WHERE ${ofCollection(store, collection, 'terms')} AND field = ${field}
          AND typeof(value) = 'text'
          AND value GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
      ), 0)`),
    },
  })
  return head
}
