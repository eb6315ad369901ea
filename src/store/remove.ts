import { type SQL, sql } from 'drizzle-orm'
import { type Reference, references } from '../model/references.ts'
import { type Credential, hasRights } from './credential.ts'
import { isFollowed } from './followed.ts'
import { indexedText } from './indexed.ts'
import { isLong } from './matches.ts'
import { statement } from './statement.ts'

/** A record to be deleted: if it is of one of some versions, and with `cascade` along with what makes no sense without it. */
export type Removal = {
  collection: string
  id: string
  versions: readonly number[] | undefined
  cascade: boolean
  /** Whether it must be a case note that is not private, or else is not there. */
  isPublic: boolean
}

/** What was found in the transaction of a removal. */
export type Removed = {
  /** The record's version; null where there is none. */
  version: number | null
  /** How many records of each collection name it. */
  namedBy: [collection: string, count: number][]
  /** How many records would be deleted or changed; one more than `mostRemoved` for any more. */
  size: number
}

/** How many records may be deleted or changed along with one. */
export const mostRemoved = 1000

/** The statements of a removal, for one batch. The first gives a row of rights and of what was found; all is removed, or nothing. */
export function removeStatements(
  d1: D1Database,
  credential: Credential,
  removal: Removal,
): D1PreparedStatement[] {
  const { collection, id, versions, cascade, isPublic } = removal
  const { organisationId } = credential
  const root = sql`collection = ${collection} AND id = ${id} AND organisation_id = ${organisationId}
    ${isPublic ? sql`AND document ->> '$.isPrivate' IS 0` : sql``}`
  const naming = references.filter(({ to }) => to === collection)
  const emptied = naming.filter(({ optional }) => optional)
  const counts = naming.map(
    (reference) =>
      sql`SELECT ${reference.from} AS collection, (${holderCount(organisationId, reference, id)}) AS count`,
  )
  const namedBy =
    counts.length > 0
      ? sql`SELECT collection, sum(count) AS count FROM (${sql.join(counts, sql` UNION ALL `)})
          GROUP BY collection HAVING sum(count) > 0`
      : sql`SELECT NULL AS collection, 0 AS count WHERE false`
  const removed = cascade
    ? doomed(organisationId, root)
    : sql`SELECT row FROM records WHERE ${root}`
  const size = sql.join(
    [
      sql`(SELECT count(*) FROM (${removed}))`,
      ...emptied.map((reference) => sql`(${holderCount(organisationId, reference, id)})`),
    ],
    sql` + `,
  )
  const condition = sql.join(
    [
      hasRights(credential, ['write']),
      isOf(versions, root),
      cascade ? sql`${size} <= ${mostRemoved}` : sql`NOT EXISTS (${namedBy})`,
    ],
    sql` AND `,
  )
  return [
    statement(
      d1,
      sql`SELECT
        ${credential.rights} AS rights,
        ${isFollowed(organisationId)} AS followed,
        (SELECT version FROM records WHERE ${root}) AS version,
        (SELECT json_group_array(json_array(collection, count)) FROM (${namedBy})) AS named_by,
        ${size} AS size`,
    ),
    ...(cascade
      ? emptied.map((reference) => statement(d1, emptying(credential, reference, id, condition)))
      : []),
    statement(d1, deletionNoted(credential, removed, condition)),
    statement(d1, sql`DELETE FROM records WHERE row IN (${removed}) AND ${condition}`),
  ]
}

/** SQL for whether a record is of one of some versions; true where none are given. */
export const isOf = (versions: readonly number[] | undefined, root: SQL): SQL =>
  versions
    ? sql`(SELECT version FROM records WHERE ${root}) IN (
        SELECT value FROM json_each(${JSON.stringify(versions)}))`
    : sql`true`

/** What the first row of a removal says. */
export const removedOf = (row: Record<string, unknown>): Removed => ({
  version: row.version === null ? null : Number(row.version),
  namedBy: JSON.parse(String(row.named_by)),
  size: Number(row.size),
})

/** SQL for the records that go with one: those that name it, or one that goes, by a reference they cannot be without. */
function doomed(organisationId: string, root: SQL): SQL {
  const needing = references.filter(({ optional }) => !optional)
  return sql`WITH RECURSIVE doomed (row, collection, id) AS (
      SELECT row, collection, id FROM records WHERE ${root}
      UNION
      SELECT named.row, named.collection, named.id
      FROM doomed
      CROSS JOIN json_each(${JSON.stringify(needing)}) AS reference
        ON reference.value ->> '$.to' = doomed.collection
      CROSS JOIN terms ON terms.organisation_id = ${organisationId}
        AND terms.collection = reference.value ->> '$.from'
        AND terms.field = reference.value ->> '$.path'
        AND terms.value = ${indexedText(sql`doomed.id`)}
      CROSS JOIN holders ON holders.term = terms.id
      CROSS JOIN records AS named ON named.organisation_id = ${organisationId}
        AND named.collection = terms.collection AND named.position = holders.position
      WHERE named.document ->> ('$.' || (reference.value ->> '$.path')) = doomed.id
      LIMIT ${mostRemoved + 1}
    )
    SELECT row FROM doomed`
}

/** SQL for how many records name `id` by a reference: from the index, but for an id that is longer than it holds. */
export const holderCount = (organisationId: string, reference: Reference, id: string) =>
  isLong(id)
    ? sql`SELECT count(*) FROM (${holdersOf(organisationId, reference, id)} LIMIT ${mostRemoved + 1})`
    : sql`SELECT coalesce(sum(count), 0) FROM terms WHERE ${term(organisationId, reference, id)}`

const term = (organisationId: string, { from, path }: Reference, id: string) =>
  sql`terms.organisation_id = ${organisationId} AND terms.collection = ${from}
    AND terms.field = ${path} AND terms.value = ${indexedText(sql`${id}`)}`

/** SQL for the rows of the records that name `id` by a reference. */
export const holdersOf = (organisationId: string, reference: Reference, id: string) => sql`
  SELECT records.row
  FROM terms CROSS JOIN holders ON holders.term = terms.id
  CROSS JOIN records USING (organisation_id, collection, position)
  WHERE ${term(organisationId, reference, id)} AND ${id} IN (
    SELECT atom FROM leaves WHERE leaves.row = records.row AND leaves.field = ${reference.path}
  )`

/** SQL that takes `id` out of the records that name it: out of a list, or else the property is left empty. */
const emptying = (credential: Credential, reference: Reference, id: string, condition: SQL): SQL =>
  rewriting(
    credential,
    holdersOf(credential.organisationId, reference, id),
    without(reference, id),
    condition,
  )

/** SQL for a record's document without `id` where a reference names it. */
export function without({ path }: Reference, id: string): SQL {
  const at = `$.${path}`
  return sql`json_set(records.document, ${at}, CASE json_type(records.document, ${at})
    WHEN 'array' THEN (
      SELECT json_group_array(value) FROM json_each(records.document, ${at})
      WHERE value IS NOT ${id}
    )
    ELSE '' END)`
}

/** SQL that gives records another document, and the next versions. */
export function rewriting({ author }: Credential, rows: SQL, document: SQL, condition: SQL): SQL {
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
      WHERE records.row IN (${rows}) AND ${condition}
    ) AS next
    WHERE records.row = next.row`
}

/** SQL that notes in the records' history who is about to delete them. */
const deletionNoted = ({ organisationId, author }: Credential, removed: SQL, condition: SQL) => sql`
  INSERT INTO history (organisation_id, collection, id, version, at, change, author, fields)
  SELECT records.organisation_id, collection, records.id, organisations.version + 1,
    max(organisations.changed, ${new Date().toISOString()}), 'deleted', ${JSON.stringify(author)}, '[]'
  FROM records CROSS JOIN organisations ON organisations.id = ${organisationId}
  WHERE row IN (${removed}) AND ${condition}`
