import { and, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { collectionNames } from '../../model/collection.ts'
import { withTimeout } from '../../platform/timeout.ts'
import { insertAuditEntry } from '../audit-log.ts'
import { recordCount } from '../bitmap/bits.ts'
import type { SortedCursor } from '../read/sorted.ts'
import type { Store } from '../store.ts'
import { retention } from '../tables.ts'

/** A retention rule: a record is deleted once the date in `field` is older than `age`. */
export type RetentionRule = typeof retention.$inferSelect

type Of = { organisationId: string; collection: string }

/** The result of a part of a rule's day, and the cursor of the next part unless the day is done. */
export type Progress = {
  removed: number
  kept: number
  place: SortedCursor | undefined
  isDone: boolean
}

const ofRule = ({ organisationId, collection }: Of) =>
  and(eq(retention.organisationId, organisationId), eq(retention.collection, collection))

/** Returns a rule in words. */
export const describeRule = ({
  collection,
  age,
  field,
}: Pick<RetentionRule, 'collection' | 'age' | 'field'>) =>
  `${collection} older than ${age} by ${field}`

/** Sets the rule of a collection and replaces an earlier one. */
export async function setRule(
  d1: D1Database,
  { organisationId, collection, field, age }: Of & Pick<RetentionRule, 'field' | 'age'>,
  by: string,
): Promise<void> {
  const db = drizzle(d1)
  const set = { field, age, created: new Date().toISOString(), createdBy: by }
  const anew = { done: null, tried: null, place: null, removed: 0, kept: 0 }
  const target = describeRule({ collection, age, field })
  await withTimeout(
    db.batch([
      db
        .insert(retention)
        .values({ organisationId, collection, ...set })
        .onConflictDoUpdate({
          target: [retention.organisationId, retention.collection],
          set: { ...set, ...anew },
        }),
      insertAuditEntry(db, { organisationId, actor: by, act: 'set retention', target }),
    ]),
  )
}

/** Removes the rule of a collection; false if it has none. */
export async function removeRule(d1: D1Database, of: Of, by: string): Promise<boolean> {
  const db = drizzle(d1)
  const { organisationId, collection: target } = of
  const [, removed] = await withTimeout(
    db.batch([
      insertAuditEntry(
        db,
        { organisationId, actor: by, act: 'removed retention', target },
        sql`EXISTS (SELECT 1 FROM retention WHERE ${ofRule(of)})`,
      ),
      db.delete(retention).where(ofRule(of)).returning({ collection: retention.collection }),
    ]),
  )
  return removed.length > 0
}

/** Returns the rules of an organisation, ordered by collection. */
export async function listRules(store: Store): Promise<RetentionRule[]> {
  const { organisationId } = store
  const rows = await store.rows({
    columns: ['rule'],
    rows: sql`SELECT json_object(
        'organisationId', organisation_id, 'collection', collection, 'field', field, 'age', age,
        'created', created, 'createdBy', created_by, 'done', done, 'tried', tried, 'place', place,
        'removed', removed, 'kept', kept
      )
      FROM retention WHERE organisation_id = ${organisationId}`,
  })
  const rules = rows.map(({ rule }): RetentionRule => JSON.parse(String(rule)))
  const order = ({ collection }: RetentionRule) => collectionNames.indexOf(collection)
  return rules.toSorted((one, other) => order(one) - order(other))
}

/**
 * Takes the next rule of a day: of the rules that were set before a time and are not done, the one
 * that was tried longest ago. Returns undefined if all are done.
 */
export async function nextRule(
  d1: D1Database,
  day: string,
  setBefore: string,
): Promise<RetentionRule | undefined> {
  const next = sql`(
    SELECT organisation_id, collection FROM retention WHERE coalesce(done, '') < ${day} AND created < ${setBefore}
    ORDER BY coalesce(tried, ''), organisation_id, collection LIMIT 1
  )`
  const [rule] = await withTimeout(
    drizzle(d1)
      .update(retention)
      .set({ tried: new Date().toISOString() })
      .where(sql`(organisation_id, collection) = ${next}`)
      .returning(),
  )
  return rule
}

/**
 * Saves the progress of a rule; at the end of a day that deleted records, also adds their number to
 * the audit log.
 */
export async function saveProgress(
  d1: D1Database,
  rule: RetentionRule,
  day: string,
  by: string,
  { removed, kept, place, isDone }: Progress,
): Promise<void> {
  const db = drizzle(d1)
  const { organisationId } = rule
  const isSame = and(ofRule(rule), sql`created = ${rule.created}`)
  const next = place && !isDone ? JSON.stringify(place) : null
  const sums = {
    removed: sql`iif(place IS NULL, 0, removed) + ${removed}`,
    kept: sql`iif(place IS NULL, 0, kept) + ${kept}`,
  }
  const total = sql`(SELECT ${sums.removed} FROM retention WHERE ${isSame})`
  await withTimeout(
    db.batch([
      insertAuditEntry(
        db,
        {
          organisationId,
          actor: by,
          act: 'removed by retention',
          // D1 binds numbers as REAL, which would print a decimal point.
          target: sql`CAST(${total} AS INTEGER) || ${` ${describeRule(rule)}`}`,
        },
        isDone ? sql`${total} > 0` : sql`false`,
      ),
      db
        .update(retention)
        .set({
          ...sums,
          // A concurrent part of the same day may have finished first.
          place: sql`iif(coalesce(done, '') < ${day}, ${next}, NULL)`,
          ...(isDone && { done: day }),
        })
        .where(isSame),
    ]),
  )
}

/**
 * Returns how many records a collection has, and how many of them have a date in each field, from
 * the index alone.
 */
export async function dateFields(
  store: Store,
  collection: string,
  field: string,
): Promise<{ total: number; dated: number }> {
  const { organisationId } = store
  const [row] = await store.rows({
    columns: ['total', 'dated'],
    rows: sql`SELECT
      ${recordCount({ organisationId, collection })},
      (SELECT sum(count) FROM terms
        WHERE organisation_id = ${organisationId} AND collection = ${collection}
          AND field = ${field} AND typeof(value) = 'text'
          AND value GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*')`,
  })
  return { total: Number(row?.total ?? 0), dated: Number(row?.dated ?? 0) }
}
