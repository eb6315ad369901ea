import { type SQL, sql } from 'drizzle-orm/sql'
import { type AuditArea, sentencePatterns } from '../../model/audit-actions.ts'
import { enumeration, flag, integer, json, nullable, type Selected, text } from '../columns.ts'
import { keyNameOf, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

/** The positions before which the sources continue: the number of an entry, of an import and of a version. */
export type ActivityCursor = { entry: number; import: number; version: number }

/**
 * Activities of one area or of all but assistants, and of one actor or of all. Imports and deletions also
 * come from their own tables.
 */
type ActivityQuery = {
  area?: AuditArea | undefined
  actor?: string | undefined
  before: ActivityCursor
}

/**
 * An action of the audit log with the record that it is about, an import, bulk edit or bulk deletion, or a deletion with the
 * document while it is stored.
 */
export type Activity = { at: string; actor: string; position: number } & (
  | { source: 'entry'; action: string; target: string; record: RecordKey | undefined }
  | {
      source: 'import'
      collection: string
      file: string | null
      edited: string | null
      isDeletion: boolean
      records: number
    }
  | { source: 'version'; collection: string; id: string; document: string | null }
)

type RecordKey = { collection: string; id: string }

type Source = Activity['source']

const pageSize = 50
/** The number of rows of each source that a page may pass over. */
const maxScanned = 500

/**
 * A page of what people and keys did in an organisation, newest first, and where the next page
 * starts. A page can be short or empty although there is a next one.
 */
export async function listActivity(
  store: Store,
  { area, actor, before }: ActivityQuery,
): Promise<{ activities: Activity[]; next: ActivityCursor | undefined }> {
  const hasImports = area === undefined || ['imports', 'edits', 'deletions'].includes(area)
  const hasDeletions = area === undefined || area === 'deletions'
  const parts = await Promise.all([
    readSource(store, 'entry', selectEntries(store, area, before.entry), actor),
    hasImports
      ? readSource(store, 'import', selectImports(store, area, before.import), actor)
      : none,
    hasDeletions
      ? readSource(store, 'version', selectDeletions(store, before.version), actor)
      : none,
  ])
  // Nothing older than the last row that a source passed over, or its further rows would be missing.
  const horizon = parts.map(({ last }) => last?.at ?? '').reduce((a, b) => (a > b ? a : b))
  const queues = parts.map(({ activities }) => [...activities])
  const activities: Activity[] = []
  while (activities.length < pageSize) {
    const newest = findNewest(queues, horizon)?.shift()
    if (!newest) break
    activities.push(newest)
  }
  const isEnd = queues.every(({ length }) => length === 0) && parts.every(({ last }) => !last)
  const next = { ...before }
  for (const { source, position } of activities) next[source] = position
  if (activities.length < pageSize)
    for (const { last } of parts) if (last?.at === horizon) next[last.source] = last.position
  return { activities, next: isEnd ? undefined : next }
}

/**
 * The source whose next activity is the newest since a time. Within a source activities stay in the order of their
 * positions, at which the next page continues: the clocks of two isolates differ, so their times may not be in order.
 */
function findNewest(queues: readonly Activity[][], since: string): Activity[] | undefined {
  const timeOf = ([next]: readonly Activity[]) => next?.at ?? ''
  return queues
    .filter((queue) => queue.length > 0 && timeOf(queue) >= since)
    .toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))[0]
}

type Part = {
  activities: Activity[]
  /** The last row that was passed over; undefined at the end of the source. */
  last: { source: Source; at: string; position: number } | undefined
}

const none: Part = { activities: [], last: undefined }

const columnsOf = (source: Source) => ({
  source: enumeration<Source>(sql`${source}`),
  position: integer(sql`position`),
  at: text(sql`at`),
  actor: text(sql`actor`),
  action: text(sql`action`),
  target: nullable(text(sql`target`)),
  records: integer(sql`records`),
  isDeletion: flag(sql`is_deletion`),
  detail: nullable(text(sql`detail`)),
})

/** Reads the rows of a source that match. `scanned` also has the column `matches`. */
async function readSource(
  store: Store,
  source: Source,
  scanned: SQL,
  actor: string | undefined,
): Promise<Part> {
  const isWanted = actor === undefined ? sql`matches` : sql`matches AND actor = ${actor}`
  const last = sql`(SELECT json_array(count(*), min(position), min(at)) FROM scanned)`
  const { head, rows } = await store.select({
    head: { last: json<[number, number, string]>(last) },
    rows: {
      with: sql`WITH scanned AS MATERIALIZED (${scanned} LIMIT ${maxScanned})`,
      columns: columnsOf(source),
      from: sql`FROM scanned WHERE ${isWanted} ORDER BY position DESC`,
    },
  })
  const [count, position, at] = head.last
  return {
    activities: rows.map(toActivity),
    last: count === maxScanned ? { source, at, position } : undefined,
  }
}

// Assistants call tools often. The condition is that of the index `audit_log_of_administration`.
const isNoCall = sql`substr(action, 1, 11) <> 'assistant: '`

const selectEntries = (store: Store, area: AuditArea | undefined, before: number) =>
  sql`SELECT id AS position, at, actor, action, target, 0 AS records, 0 AS is_deletion, record AS detail,
      ${area ? isOfArea(area) : sql`1`} AS matches
    FROM audit_log
    WHERE ${ofOrganisation(store)} AND id < ${before} AND ${area === 'assistants' ? sql`1` : isNoCall}
    ORDER BY id DESC`

const isOfArea = (area: AuditArea) =>
  sql`(${sql.join(
    sentencePatterns(area).map((pattern) => sql`action GLOB ${pattern}`),
    sql` OR `,
  )})`

/** SQL for an author as the audit log names it. */
const actorOf = (store: Store, author: SQL) => sql`coalesce(CASE ${author} ->> '$.by'
    WHEN 'person' THEN ${author} ->> '$.name'
    WHEN 'key' THEN coalesce(${keyNameOf(store, author)}, 'a deleted key')
    ELSE ${author} ->> '$.by' END, 'not known')`

const selectImports = (store: Store, area: AuditArea | undefined, before: number) =>
  sql`SELECT id AS position, at, ${actorOf(store, sql`author`)} AS actor, collection AS action,
      file AS target, coalesce(deleted, iif(edited IS NULL, records, created + updated)) AS records,
      deleted IS NOT NULL AS is_deletion, edited AS detail, ${area ? isOfKind(area) : sql`1`} AS matches
    FROM imports WHERE ${ofOrganisation(store)} AND id < ${before} ORDER BY id DESC`

/** SQL that tests whether a row of `imports` is an import, a bulk edit or a bulk deletion, which areas tell apart. */
const isOfKind = (area: AuditArea): SQL =>
  area === 'deletions'
    ? sql`deleted IS NOT NULL`
    : sql`deleted IS NULL AND (edited IS NULL) = ${area === 'imports'}`

/**
 * SQL for deletions, even of records that were restored, except by merges, retention, bulk deletions and undone
 * imports, which have their own entries. An erasure leaves no history.
 */
const selectDeletions = (store: Store, before: number) =>
  sql`SELECT version AS position, at, ${actorOf(store, sql`author`)} AS actor, collection AS action,
      replaced AS target, 0 AS records, 0 AS is_deletion, id AS detail,
      merged_into IS NULL AND author ->> '$.by' IS NOT 'retention'
        AND author ->> '$.import' IS NULL AS matches
    FROM history
    WHERE ${ofOrganisation(store)} AND change = 'deleted' AND version < ${before}
    ORDER BY version DESC`

function toActivity({
  source,
  action,
  target,
  records,
  isDeletion,
  detail,
  ...common
}: Selected<ReturnType<typeof columnsOf>>): Activity {
  if (source === 'import')
    return {
      ...common,
      source,
      collection: action,
      file: target,
      edited: detail,
      isDeletion,
      records,
    }
  if (source === 'version')
    return { ...common, source, collection: action, id: detail ?? '', document: target }
  const [collection, id]: string[] = detail === null ? [] : JSON.parse(detail)
  const record = collection !== undefined && id !== undefined ? { collection, id } : undefined
  return { ...common, source, action, target: target ?? '', record }
}

/** The actors of recent entries and imports, in alphabetical order. */
export async function listActors(store: Store): Promise<string[]> {
  const { rows } = await store.select({
    rows: {
      columns: { actor: text(sql`actor`) },
      from: sql`FROM (
        SELECT * FROM (
          SELECT actor FROM audit_log WHERE ${ofOrganisation(store)} AND ${isNoCall}
          ORDER BY id DESC LIMIT ${maxScanned}
        )
        UNION ALL
        SELECT * FROM (
          SELECT ${actorOf(store, sql`author`)} FROM imports WHERE ${ofOrganisation(store)}
          ORDER BY id DESC LIMIT ${maxScanned}
        )
      ) GROUP BY actor ORDER BY actor COLLATE NOCASE`,
    },
  })
  return rows.map(({ actor }) => actor)
}
