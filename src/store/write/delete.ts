import { type SQL, sql } from 'drizzle-orm/sql'
import { type Credential, requireUnrestricted } from '../../access/credential.ts'
import type { HiddenRecords } from '../../access/restriction-effects.ts'
import type { ChangeSource } from '../../model/author.ts'
import { type Reference, references } from '../../model/references.ts'
import { indexedText } from '../bitmap/bits.ts'
import { decodeRow, expressionsOf, integer, json, nullable } from '../columns.ts'
import { documentPasses, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { asOneOperation, nextTime, nextVersion, replaceDocuments } from '../version.ts'
import { countReferrers, maxCascade, referencingRows } from './referrers.ts'

/**
 * A record to delete if it has one of these versions. With `cascade`, its dependents are deleted
 * too.
 */
type Deletion = {
  collection: string
  id: string
  versions: readonly number[] | undefined
  cascade: boolean
  /** The source of the change if it is not a single request. */
  source?: ChangeSource | undefined
}

/** The state that a deletion found in its transaction. */
export type DeletionResult = {
  /** The record's version; null if it does not exist. */
  version: number | null
  /** The number of referring records by collection. */
  namedBy: [collection: string, count: number][]
  /** The number of records to delete or change, at most `maxCascade` + 1. */
  size: number
}

/** The result that a deletion would have, without deleting anything. */
export const previewDelete = (store: Store, deletion: Deletion): Promise<DeletionResult> =>
  runDeletion(store, deletion, { isPreview: true })

/** Deletes a record in one transaction. Deletes nothing if the result shows an obstacle. */
export const deleteRecord = (store: Store, deletion: Deletion): Promise<DeletionResult> =>
  store.withPolicy(async (policy) => {
    const { collection, cascade } = deletion
    if (cascade && policy.isRestricted) {
      await store.verify({ permissions: ['write'], collection, policy })
      requireUnrestricted(policy, '$cascade')
    }
    return runDeletion(store, deletion, { hidden: policy.hiddenRecords(collection) })
  })

type DeletionOptions = { hidden?: readonly HiddenRecords[]; isPreview?: boolean }

/** Deletes a record, or only previews the deletion. Treats hidden records as missing. */
async function runDeletion(
  store: Store,
  { collection, id, versions, cascade, source }: Deletion,
  { hidden = [], isPreview = false }: DeletionOptions,
): Promise<DeletionResult> {
  const { organisationId } = store
  const credential = {
    ...store.credential,
    author: { ...store.credential.author, ...source },
  }
  const root = sql.join(
    [
      sql`collection = ${collection} AND id = ${id} AND ${ofOrganisation({ organisationId })}`,
      ...hidden.map(({ visible }) => documentPasses(visible)),
    ],
    sql` AND `,
  )
  const referring = references.filter(({ to }) => to === collection)
  const optional = referring.filter(({ optional }) => optional)
  const namedBy = selectReferrerCounts(organisationId, referring, id)
  const deleted = cascade
    ? selectWithDependents(organisationId, root)
    : sql`SELECT row FROM records WHERE ${root}`
  const sum = (named: readonly Reference[]) => sumReferrers(organisationId, named, id)
  // The index counts direct references, so a cascade over the limit reads no records.
  const size = sql`iif(${sum(referring)} > ${maxCascade}, ${maxCascade + 1},
    (SELECT count(*) FROM (${deleted})) + ${sum(optional)})`
  const returns = {
    version: nullable(integer(sql`(SELECT version FROM records WHERE ${root})`)),
    namedBy: json<DeletionResult['namedBy']>(
      sql`(SELECT json_group_array(json_array(collection, count)) FROM (${namedBy}))`,
    ),
    size: integer(size),
  }
  const guard = { permissions: ['write'] as const, collection }
  if (isPreview) {
    const { head } = await store.read(expressionsOf(returns), undefined, guard)
    return decodeRow(returns, head)
  }
  const now = new Date().toISOString()
  return store.write(
    {
      ...guard,
      unless: (found) => ({
        missing: sql`${found.version} IS NULL`,
        changed: versions
          ? sql`${found.version} NOT IN (SELECT value FROM json_each(${JSON.stringify(versions)}))`
          : undefined,
        referenced: cascade ? undefined : sql`${found.namedBy} <> '[]'`,
        tooLarge: cascade ? sql`${found.size} > ${maxCascade}` : undefined,
      }),
      returns,
    },
    asOneOperation(organisationId, now, [
      ...(cascade ? optional : []).map((reference) =>
        replaceDocuments(
          credential.author,
          sql`records.row IN (${referencingRows(organisationId, reference, id)})`,
          documentWithoutReference(reference, id),
          { now },
        ),
      ),
      noteDeletion(credential, deleted, { now }),
      sql`DELETE FROM records WHERE row IN (${deleted})`,
    ]),
  )
}

/** SQL for the number of records that reference `id`, by collection. */
export function selectReferrerCounts(
  organisationId: string,
  named: readonly Reference[],
  id: string,
): SQL {
  const counts = countByCollection(organisationId, named, id)
  if (counts.length === 0) return sql`SELECT NULL AS collection, 0 AS count WHERE false`
  return sql`SELECT collection, count FROM (${sql.join(
    counts.map(({ from, count }) => sql`SELECT ${from} AS collection, ${count} AS count`),
    sql` UNION ALL `,
  )}) WHERE count > 0 ORDER BY collection`
}

/** SQL for the total number of records that reference `id`. */
export const sumReferrers = (organisationId: string, counted: readonly Reference[], id: string) =>
  sql`(${sql.join(
    [sql`0`, ...countByCollection(organisationId, counted, id).map(({ count }) => count)],
    sql` + `,
  )})`

/** SQL for the number of records that reference `id`, for each collection. */
const countByCollection = (organisationId: string, counted: readonly Reference[], id: string) =>
  [...Map.groupBy(counted, ({ from }) => from)].map(([from, ofCollection]) => ({
    from,
    count: countReferrers(organisationId, ofCollection, id),
  }))

/** SQL that tests whether a record has one of these versions. Always true without versions. */
export const hasVersion = (versions: readonly number[] | undefined, root: SQL): SQL =>
  versions
    ? sql`(SELECT version FROM records WHERE ${root}) IN (
        SELECT value FROM json_each(${JSON.stringify(versions)}))`
    : sql`true`

/**
 * SQL for a record and all its direct and indirect dependents, deepest first. SQLite counts
 * one record's dependents before it reads the next record's, so the limit also bounds the rows
 * read.
 */
function selectWithDependents(organisationId: string, root: SQL): SQL {
  const required = references
    .filter(({ optional }) => !optional)
    .map((reference) => ({ ...reference, depth: depthOf(reference.from) }))
  const referrers = sql`
    SELECT dependent.row
    FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
    CROSS JOIN records AS dependent ON dependent.organisation_id = terms.organisation_id
      AND dependent.collection = terms.collection AND dependent.ordinal = term_ordinals.ordinal
    WHERE ${ofOrganisation({ organisationId }, 'terms')}
      AND terms.collection = reference.value ->> '$.from'
      AND terms.field = reference.value ->> '$.path'
      AND terms.value = ${indexedText(sql`deleted.id`)}
      AND dependent.document ->> ('$.' || (reference.value ->> '$.path')) = deleted.id
    LIMIT ${maxCascade + 1}`
  return sql`WITH RECURSIVE deleted (row, collection, id, depth) AS (
      SELECT row, collection, id, 0 FROM records WHERE ${root}
      UNION
      SELECT records.row, records.collection, records.id, reference.value ->> '$.depth'
      FROM deleted
      CROSS JOIN json_each(${JSON.stringify(required)}) AS reference
        ON reference.value ->> '$.to' = deleted.collection
      CROSS JOIN json_each((SELECT json_group_array(row) FROM (${referrers}))) AS referrer
      CROSS JOIN records ON records.row = referrer.value
      ORDER BY 4 DESC
      LIMIT ${maxCascade + 1}
    )
    SELECT row FROM deleted`
}

/** The length of a collection's longest chain of required references. */
export const depthOf = (collection: string): number =>
  Math.max(
    0,
    ...references
      .filter(({ from, optional }) => from === collection && !optional)
      .map(({ to }) => 1 + depthOf(to)),
  )

/** SQL for a record's document without `id` in one reference. */
export function documentWithoutReference({ path }: Pick<Reference, 'path'>, id: string): SQL {
  const at = `$.${path}`
  return sql`json_set(records.document, ${at}, CASE json_type(records.document, ${at})
    WHEN 'array' THEN (
      SELECT json_group_array(value) FROM json_each(records.document, ${at})
      WHERE value IS NOT ${id}
    )
    ELSE '' END)`
}

/** SQL that records the deletion's author in the records' history, and into whom a person was merged. */
export const noteDeletion = (
  { organisationId, author }: Credential,
  removed: SQL,
  { now, mergedInto = null }: { now: string; mergedInto?: string | null },
) => sql`
  INSERT INTO history (
    organisation_id, collection, id, version, at, change, author, fields, merged_into
  )
  SELECT records.organisation_id, collection, records.id,
    ${nextVersion(sql`row_number() OVER (ORDER BY records.row)`)}, ${nextTime(now)}, 'deleted', ${JSON.stringify(author)}, '[]', ${mergedInto}
  FROM records CROSS JOIN organisations ON organisations.id = ${organisationId}
  WHERE row IN (${removed})`
