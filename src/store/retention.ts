import { and, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { collectionNames } from '../model/collection-names.ts'
import { withTimeout } from '../platform/timeout.ts'
import { insertAuditEntry } from './audit-log.ts'
import { recordCount } from './bitmap/bits.ts'
import type { SortedCursor } from './read/sorted.ts'
import { retention } from './sql/tables.ts'
import type { Store } from './store.ts'

/** How long records of a collection are kept: until the date in `field` is older than `age`. */
export type RetentionRule = typeof retention.$inferSelect

type Of = { organisationId: string; collection: string }

/** What came of a part of a rule's day: where it goes on, unless all is done. */
export type Progress = {
  removed: number
  kept: number
  place: SortedCursor | undefined
  isDone: boolean
}

const ofRule = ({ organisationId, collection }: Of) =>
  and(eq(retention.organisationId, organisationId), eq(retention.collection, collection))

/** A rule as people read it. */
export const describeRule = ({
  collection,
  age,
  field,
}: Pick<RetentionRule, 'collection' | 'age' | 'field'>) =>
  `${collection} older than ${age} by ${field}`

/** Sets the rule of a collection, in place of the one it had. */
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

/** Removes the rule of a collection; false where it has none. */
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

/** The rules of an organisation, in the order of their collections. */
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

/** Takes the rule whose turn is next on a day: of those set before a time that are not done, the one last tried the longest ago. Undefined where all are done. */
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

/** Notes what came of a part of a rule's day, and with the last that removed anything, how much in the audit trail. */
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
          // What is bound is a real number, which would be a text with its point.
          target: sql`CAST(${total} AS INTEGER) || ${` ${describeRule(rule)}`}`,
        },
        isDone ? sql`${total} > 0` : sql`false`,
      ),
      db
        .update(retention)
        .set({
          ...sums,
          // Another part of the same day may have come to its end before this one.
          place: sql`iif(coalesce(done, '') < ${day}, ${next}, NULL)`,
          ...(isDone && { done: day }),
        })
        .where(isSame),
    ]),
  )
}

/** How many records a collection has, and how many of these have a date in a field; from the index alone. */
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
