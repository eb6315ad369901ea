import { type SQL, sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import { requireCollection } from '../../access/credential.ts'
import type { HiddenRecords } from '../../access/restriction-effects.ts'
import { ApiError } from '../../model/api-error.ts'
import { type Kind, kindNames } from '../../model/properties/schema.ts'
import { type Column, integer, nullable, optional, text } from '../columns.ts'
import type { FeedPosition } from '../cursors.ts'
import { organisationColumn } from '../fragments.ts'
import type { Found, Known, Unchanged } from '../state.ts'
import type { Store } from '../store.ts'
import { feedVisibility } from './feed-visibility.ts'
import type { FindRecordType } from './list-selection.ts'
import { schemaColumn } from './single.ts'

/** A page of the change feed to read, of all collections or some. */
type ChangesQuery = {
  cursor?: FeedPosition | undefined
  collections?: readonly string[] | undefined
  limit: number
  /** Whether to return documents too. */
  records: boolean
  /** The records to treat as missing. Requires `collections`. */
  hidden?: readonly HiddenRecords[]
}

export type FeedChange = {
  collection: string
  id: string
  change: string
  version: number
  at: string
  /** JSON text; undefined if not requested or deleted. */
  document: string | undefined
  /** The document of a booking's member. */
  member: string | undefined
}

/** A page of changes, the cursor after it, whether more follow, and the schemas of people as JSON texts. */
type ChangesPage = {
  changes: FeedChange[]
  cursor: FeedPosition
  more: boolean
  schemas: ReadonlyMap<string, string | undefined>
}

/** The maximum number of entries that a page of selected collections reads. */
const feedWindow = 1000

/**
 * Reads a page of changes and the schemas of people. Throws 410 if deletions may be missing.
 */
export async function readChanges<U extends Unchanged = never>(
  store: Store,
  query: ChangesQuery,
  findRecordType: FindRecordType,
  known?: Known<U>,
): Promise<Found<ChangesPage> | NoInfer<U>> {
  const result = await store.withPolicy(
    (policy, known) =>
      store.select({ ...buildChanges(store, policy.limitChanges(query)), policy, known }),
    { known },
  )
  if (result.unchanged) return result
  const { version, forgotten, edge, ...schemas } = result.head
  const { policy } = store
  for (const collection of query.collections ?? []) requireCollection(policy, collection)
  const { changes, ...page } = cutPage(query, { version, forgotten, edge }, result.rows)
  store.countReturned('changes', changes.length)
  return {
    ...page,
    state: result.state,
    changes: await Promise.all(
      changes.map((change) => redactChange(policy, change, findRecordType)),
    ),
    schemas: new Map(
      (query.records ? kindNames : []).map((kind) => [
        kind as string,
        policy.redactSchema(kind, schemas[kind]),
      ]),
    ),
  }
}

/** Redacts the record of a change. */
async function redactChange(
  policy: AccessPolicy,
  change: FeedChange,
  findRecordType: FindRecordType,
): Promise<FeedChange> {
  const { collection, document, member } = change
  if (document === undefined || !policy.isRestricted) return change
  const type = await findRecordType(collection)
  return {
    ...change,
    document: type ? policy.redactor(collection, () => type)(document) : document,
    member: type && policy.visibleMember(member),
  }
}

/** A cursor after the latest change. */
export async function readLatestChange<U extends Unchanged = never>(
  store: Store,
  known?: Known<U>,
): Promise<Found<{ cursor: FeedPosition }> | NoInfer<U>> {
  const columns = { version: integer(organisationColumn(store, 'version')) }
  const found = await store.select({ head: columns, known })
  if (found.unchanged) return found
  const { version } = found.head
  return { cursor: { after: version, since: version }, state: found.state }
}

/** The head of a page of the feed, and the changes of the page with the one after it. */
function buildChanges(store: Store, query: ChangesQuery) {
  const { organisationId } = store
  const { collections, limit, hidden = [], records } = query
  const maxRows = sql.raw(String(limit + 1))
  const entries = feed(organisationId, query)
  const page = collections
    ? sql`SELECT version, collection, id, change, at, document, member_id
        FROM (${entries} LIMIT ${sql.raw(String(feedWindow))})
        WHERE ${isInCollections(collections)} ${hidden.length > 0 ? sql`AND is_visible` : sql``} LIMIT ${maxRows}`
    : sql`${entries} LIMIT ${maxRows}`
  const member = sql`(
    SELECT member.document FROM records AS member
    WHERE page.collection = 'bookings' AND member.collection = 'members'
      AND member.id = page.member_id AND member.organisation_id = ${organisationId}
  )`
  const edge = sql`iif((SELECT count(*) FROM page) > ${limit}, NULL, (
    SELECT version FROM (${entries}) LIMIT 1 OFFSET ${sql.raw(String(feedWindow - 1))}
  ))`
  return {
    head: {
      version: integer(organisationColumn(store, 'version')),
      forgotten: integer(organisationColumn(store, 'deletions_forgotten_to')),
      // The last version of the window, if its changes do not fill the page.
      edge: nullable(integer(collections ? edge : sql`NULL`)),
      ...(records && schemaColumns(store)),
    },
    rows: {
      columns: {
        collection: text(sql`collection`),
        id: text(sql`id`),
        change: text(sql`change`),
        version: integer(sql`version`),
        at: text(sql`at`),
        document: optional(text(sql`document`)),
        member: optional(text(records ? member : sql`NULL`)),
      },
      with: sql`WITH page AS ${sql.raw(collections ? 'MATERIALIZED' : 'NOT MATERIALIZED')} (${page})`,
      from: sql`FROM page`,
    },
  }
}

function schemaColumns({ organisationId }: Store) {
  const schemaOf = (kind: Kind) => optional(text(schemaColumn(organisationId, kind)))
  return {
    members: schemaOf('members'),
    volunteers: schemaOf('volunteers'),
    partners: schemaOf('partners'),
  } satisfies Record<Kind, Column<string | undefined>>
}

/** What the head of a page says of the feed. */
type FeedState = { version: number; forgotten: number; edge: number | null }

/** Cuts the changes of a page, and finds its next cursor. Throws 410 if deletions may be missing. */
function cutPage(
  { cursor, limit }: ChangesQuery,
  { version, forgotten, edge }: FeedState,
  rows: readonly FeedChange[],
) {
  const since = Math.max(cursor?.after ?? 0, cursor?.since ?? version)
  // After the restore of a backup, a cursor may be beyond the last version.
  if (since < forgotten || since > version) {
    throw new ApiError(
      'GONE',
      'This cursor is too old: deletions since then are no longer remembered. Discard the copy and start again without $after.',
    )
  }
  const changes = rows.slice(0, limit)
  const isFull = rows.length > limit
  const end = isFull ? Number(changes.at(-1)?.version) : (edge ?? version)
  return { changes, cursor: { after: end, since }, more: isFull || end < version }
}

/**
 * SQL for the entries of the feed after a cursor, in order of version: the last change of each record, and the deletions.
 * The caller may append LIMIT, and selects the entries that are `is_visible`; without hidden records, all are. A note that became
 * private has a deletion of the same version, which comes first, so that no limit parts it from its version.
 */
function feed(
  organisationId: string,
  { cursor, collections, records, hidden = [] }: ChangesQuery,
): SQL {
  const ofOrganisation = sql`organisation_id = ${organisationId}`
  const since = cursor
    ? sql`${Math.max(cursor.after, cursor.since)}`
    : sql`(SELECT version FROM organisations WHERE id = ${organisationId})`
  const wantedDocument = collections
    ? sql`iif(${isInCollections(collections)}, document, NULL)`
    : sql`document`
  const { isShown, isRecordListed, isDeletionListed } = feedVisibility(hidden)
  return sql`
    SELECT version, collection, id, 'deleted' AS change, at, NULL AS document, NULL AS member_id,
      ${isDeletionListed} AS is_visible
    FROM deletions WHERE ${ofOrganisation} AND version > ${since}
      ${hidden.length > 0 ? sql`` : sql`AND ${isDeletionListed}`}
    UNION ALL
    SELECT
      version, collection, id,
      CASE WHEN NOT (${isShown}) THEN 'deleted' WHEN version = first_version THEN 'created' ELSE 'updated' END,
      changed,
      iif(${isShown}, ${records ? wantedDocument : sql`NULL`}, NULL),
      iif(${isShown}, member_id, NULL),
      ${isRecordListed}
    FROM records WHERE ${ofOrganisation} AND version > ${cursor?.after ?? 0}
    ORDER BY version`
}

const isInCollections = (collections: readonly string[]) =>
  sql`collection IN (${sql.join(
    collections.map((collection) => sql`${collection}`),
    sql`, `,
  )})`
