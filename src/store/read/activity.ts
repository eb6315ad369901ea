import { type SQL, sql } from 'drizzle-orm/sql'
import { type AuditArea, sentencePatterns } from '../../model/audit-actions.ts'
import { enumeration, integer, json, nullable, type Selected, text } from '../columns.ts'
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

/** An action of the audit log, an import, or a deletion with the document while it is stored. */
export type Activity = { at: string; actor: string } & (
  | { source: 'entry'; position: number; action: string; target: string }
  | { source: 'import'; position: number; collection: string; file: string | null; records: number }
  | { source: 'version'; position: number; collection: string; document: string | null }
)

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
  const hasImports = area === undefined || area === 'imports'
  const hasDeletions = area === undefined || area === 'deletions'
  const parts = await Promise.all([
    readSource(store, 'entry', selectEntries(store, area, before.entry), actor),
    hasImports ? readSource(store, 'import', selectImports(store, before.import), actor) : none,
    hasDeletions
      ? readSource(store, 'version', selectDeletions(store, before.version), actor)
      : none,
  ])
  // Nothing older than the last row that a source passed over, or its further rows would be missing.
  const horizon = parts.map(({ last }) => last?.at ?? '').reduce((a, b) => (a > b ? a : b))
  const all = parts
    .flatMap(({ activities }) => activities)
    .toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
  const activities = all.filter(({ at }) => at >= horizon).slice(0, pageSize)
  const isEnd = activities.length === all.length && parts.every(({ last }) => !last)
  const next = { ...before }
  for (const { source, position } of activities) next[source] = position
  if (activities.length < pageSize)
    for (const { last } of parts) if (last?.at === horizon) next[last.source] = last.position
  return { activities, next: isEnd ? undefined : next }
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
  sql`SELECT id AS position, at, actor, action, target, NULL AS records,
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

const selectImports = (store: Store, before: number) =>
  sql`SELECT id AS position, at, ${actorOf(store, sql`author`)} AS actor, collection AS action,
      file AS target, records, 1 AS matches
    FROM imports WHERE ${ofOrganisation(store)} AND id < ${before} ORDER BY id DESC`

/**
 * SQL for deletions, even of records that were restored, except by merges, retention and undone
 * imports, which have their own entries. An erasure leaves no history.
 */
const selectDeletions = (store: Store, before: number) =>
  sql`SELECT version AS position, at, ${actorOf(store, sql`author`)} AS actor, collection AS action,
      replaced AS target, NULL AS records,
      merged_into IS NULL AND author ->> '$.by' IS NOT 'retention'
        AND author ->> '$.through' IS NOT 'undo' AS matches
    FROM history
    WHERE ${ofOrganisation(store)} AND change = 'deleted' AND version < ${before}
    ORDER BY version DESC`

function toActivity({
  source,
  action,
  target,
  records,
  ...common
}: Selected<ReturnType<typeof columnsOf>>): Activity {
  if (source === 'import') return { ...common, source, collection: action, file: target, records }
  if (source === 'version') return { ...common, source, collection: action, document: target }
  return { ...common, source, action, target: target ?? '' }
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
