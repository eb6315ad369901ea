import { type SQL, sql } from 'drizzle-orm'
import { type Credential, hasPermissions } from '../../access/credential.ts'
import { type Reference, references } from '../../model/references.ts'
import { indexedText } from '../bitmap/bits.ts'
import { statement } from '../statement.ts'
import { hasWebhooks } from './has-webhooks.ts'
import { maxCascade, referencingRows, referrerCount } from './referrers.ts'

/**
 * A record to delete: only if it has one of these versions, and with `cascade` together with its
 * dependents.
 */
export type Deletion = {
  collection: string
  id: string
  versions: readonly number[] | undefined
  cascade: boolean
  /** Whether only a case note that is not private counts as existing. */
  isPublic: boolean
}

/** The state found in the transaction of a deletion. */
export type DeletionResult = {
  /** The record's version; null if it does not exist. */
  version: number | null
  /** The number of records that refer to it, by collection. */
  namedBy: [collection: string, count: number][]
  /** How many records would be deleted or changed; `maxCascade` + 1 for any greater number. */
  size: number
}

/**
 * Returns the statements of a deletion for one batch, which deletes everything or nothing. The
 * first returns a row with the permissions and the state.
 */
export function deleteStatements(
  d1: D1Database,
  credential: Credential,
  removal: Deletion,
): D1PreparedStatement[] {
  const { collection, id, versions, cascade, isPublic } = removal
  const { organisationId } = credential
  const root = sql`collection = ${collection} AND id = ${id} AND organisation_id = ${organisationId}
    ${isPublic ? sql`AND document ->> '$.isPrivate' IS 0` : sql``}`
  const naming = references.filter(({ to }) => to === collection)
  const emptied = naming.filter(({ optional }) => optional)
  const counts = countsOf(organisationId, naming, id)
  const namedBy =
    counts.length > 0
      ? sql`SELECT collection, count FROM (${sql.join(
          counts.map(({ from, count }) => sql`SELECT ${from} AS collection, ${count} AS count`),
          sql` UNION ALL `,
        )}) WHERE count > 0 ORDER BY collection`
      : sql`SELECT NULL AS collection, 0 AS count WHERE false`
  const removedIf = (condition: SQL) =>
    cascade
      ? doomed(organisationId, sql`${root} AND ${condition}`)
      : sql`SELECT row FROM records WHERE ${root} AND ${condition}`
  const countOf = (named: readonly Reference[]) =>
    sql.join([sql`0`, ...countsOf(organisationId, named, id).map(({ count }) => count)], sql` + `)
  // The index counts the direct references, so a request that exceeds the limit reads none of the
  // records.
  const size = sql`iif(${countOf(naming)} > ${maxCascade}, ${maxCascade + 1},
    (SELECT count(*) FROM (${removedIf(sql`true`)})) + ${countOf(emptied)})`
  const condition = sql.join(
    [
      hasPermissions(credential, ['write']),
      sql`EXISTS (SELECT 1 FROM records WHERE ${root})`,
      hasVersion(versions, root),
      cascade ? sql`${size} <= ${maxCascade}` : sql`NOT EXISTS (${namedBy})`,
    ],
    sql` AND `,
  )
  const removed = removedIf(condition)
  return [
    statement(
      d1,
      sql`SELECT
        ${credential.rights} AS rights,
        ${hasWebhooks(organisationId)} AS followed,
        (SELECT version FROM records WHERE ${root}) AS version,
        (SELECT json_group_array(json_array(collection, count)) FROM (${namedBy})) AS named_by,
        ${size} AS size`,
    ),
    ...(cascade
      ? emptied.map((reference) => statement(d1, emptying(credential, reference, id, condition)))
      : []),
    statement(d1, deletionNoted(credential, removed)),
    statement(d1, sql`DELETE FROM records WHERE row IN (${removed})`),
  ]
}

/** Returns SQL for how many records of each collection name `id` by these references. */
const countsOf = (organisationId: string, named: readonly Reference[], id: string) =>
  [...Map.groupBy(named, ({ from }) => from)].map(([from, all]) => ({
    from,
    count: referrerCount(organisationId, all, id),
  }))

/** Returns SQL for whether a record has one of these versions; true without versions. */
export const hasVersion = (versions: readonly number[] | undefined, root: SQL): SQL =>
  versions
    ? sql`(SELECT version FROM records WHERE ${root}) IN (
        SELECT value FROM json_each(${JSON.stringify(versions)}))`
    : sql`true`

/** Parses the first row of a deletion. */
export const parseDeletionResult = (row: Record<string, unknown>): DeletionResult => ({
  version: row.version === null ? null : Number(row.version),
  namedBy: JSON.parse(String(row.named_by)),
  size: Number(row.size),
})

/**
 * Returns SQL for a record and all its dependents, direct and indirect. The deepest come first: the
 * dependents of one record are counted before those of the next are read, so that the limit also
 * bounds the rows read.
 */
function doomed(organisationId: string, root: SQL): SQL {
  const needing = references
    .filter(({ optional }) => !optional)
    .map((reference) => ({ ...reference, depth: depthOf(reference.from) }))
  const named = sql`
    SELECT one.row
    FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
    CROSS JOIN records AS one ON one.organisation_id = terms.organisation_id
      AND one.collection = terms.collection AND one.ordinal = term_ordinals.ordinal
    WHERE terms.organisation_id = ${organisationId}
      AND terms.collection = reference.value ->> '$.from'
      AND terms.field = reference.value ->> '$.path'
      AND terms.value = ${indexedText(sql`doomed.id`)}
      AND one.document ->> ('$.' || (reference.value ->> '$.path')) = doomed.id
    LIMIT ${maxCascade + 1}`
  return sql`WITH RECURSIVE doomed (row, collection, id, depth) AS (
      SELECT row, collection, id, 0 FROM records WHERE ${root}
      UNION
      SELECT records.row, records.collection, records.id, reference.value ->> '$.depth'
      FROM doomed
      CROSS JOIN json_each(${JSON.stringify(needing)}) AS reference
        ON reference.value ->> '$.to' = doomed.collection
      CROSS JOIN json_each((SELECT json_group_array(row) FROM (${named}))) AS named
      CROSS JOIN records ON records.row = named.value
      ORDER BY 4 DESC
      LIMIT ${maxCascade + 1}
    )
    SELECT row FROM doomed`
}

/** Returns the longest chain of required references to a collection. */
const depthOf = (collection: string): number =>
  Math.max(
    0,
    ...references
      .filter(({ from, optional }) => from === collection && !optional)
      .map(({ to }) => 1 + depthOf(to)),
  )

/**
 * Returns SQL that removes `id` from the records that reference it: from a list, or by emptying the
 * property.
 */
const emptying = (credential: Credential, reference: Reference, id: string, condition: SQL): SQL =>
  replaceDocuments(
    credential,
    sql`${referencingRows(credential.organisationId, reference, id)} AND ${condition}`,
    documentWithoutReference(reference, id),
  )

/** Returns SQL for a record's document without `id` in a reference. */
export function documentWithoutReference({ path }: Reference, id: string): SQL {
  const at = `$.${path}`
  return sql`json_set(records.document, ${at}, CASE json_type(records.document, ${at})
    WHEN 'array' THEN (
      SELECT json_group_array(value) FROM json_each(records.document, ${at})
      WHERE value IS NOT ${id}
    )
    ELSE '' END)`
}

/** Returns SQL that replaces the documents of records and gives them the next versions. */
export function replaceDocuments({ author }: Credential, rows: SQL, document: SQL): SQL {
  const now = new Date().toISOString()
  return sql`
    UPDATE records SET
      document = next.document, version = next.version, changed = next.changed,
      changed_by = ${JSON.stringify(author)}, changed_by_version = next.version
    FROM (
      SELECT
        records.row,
        ${document} AS document,
        organisations.version + row_number() OVER (ORDER BY records.row) AS version,
        max(organisations.changed, ${now}) AS changed
      FROM records CROSS JOIN organisations ON organisations.id = records.organisation_id
      WHERE records.row IN (${rows})
    ) AS next
    WHERE records.row = next.row`
}

/** Returns SQL that notes the author of the following deletion in the records' history. */
const deletionNoted = ({ organisationId, author }: Credential, removed: SQL) => sql`
  INSERT INTO history (organisation_id, collection, id, version, at, change, author, fields)
  SELECT records.organisation_id, collection, records.id, organisations.version + 1,
    max(organisations.changed, ${new Date().toISOString()}), 'deleted', ${JSON.stringify(author)}, '[]'
  FROM records CROSS JOIN organisations ON organisations.id = ${organisationId}
  WHERE row IN (${removed})`
