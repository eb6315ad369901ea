import { type SQL, sql } from 'drizzle-orm/sql'
import type { PersonLink } from '../../model/properties/personal-data.ts'
import type { Reference } from '../../model/references.ts'
import { bitCountOfBlock, bitmapColumns, indexedText, isLong } from '../bitmap/bits.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import { hasNoOwner } from './person-details.ts'

/** The maximum number of records that a deletion or merge deletes or changes. */
export const maxCascade = 1000

/**
 * SQL for the number of records of one collection that reference `id` through up to two
 * references. Counts a record with both once.
 */
export function countReferrers(
  organisationId: string,
  [first, second]: readonly Reference[],
  id: string,
): SQL {
  if (!first) return sql`0`
  const count = (reference: Reference) => sql`(${countHolders(organisationId, reference, id)})`
  if (!second) return count(first)
  const select = (reference: Reference) => referencingRows(organisationId, reference, id)
  if (isLong(id))
    return sql`(SELECT count(*) FROM (
      ${select(first)} UNION ${select(second)} LIMIT ${maxCascade + 1}
    ))`
  const term = (reference: Reference) =>
    sql`(SELECT id FROM terms WHERE ${hasTerm(organisationId, reference, id)})`
  const shared = bitmapColumns
    .map((column) => `one.${column} & other.${column} AS ${column}`)
    .join(', ')
  return sql`(${count(first)} + ${count(second)} - (
    SELECT coalesce(sum(${sql.raw(bitCountOfBlock)}), 0) FROM (
      SELECT ${sql.raw(shared)} FROM bitmaps AS one CROSS JOIN bitmaps AS other USING (block)
      WHERE one.term_id = ${term(first)} AND other.term_id = ${term(second)}
    )
  ))`
}

/**
 * SQL for the number of records that reference `id`, from the index unless the id is too
 * long for it.
 */
export const countHolders = (organisationId: string, reference: Reference, id: string) =>
  isLong(id)
    ? sql`SELECT count(*) FROM (${referencingRows(organisationId, reference, id)} LIMIT ${maxCascade + 1})`
    : sql`SELECT coalesce(sum(count), 0) FROM terms WHERE ${hasTerm(organisationId, reference, id)}`

/** SQL for the condition that selects the term of a reference to `id`. */
export const hasTerm = (organisationId: string, { from, path }: Reference, id: string) =>
  sql`${ofCollection({ organisationId }, from, 'terms')}
    AND terms.field = ${path} AND terms.value = ${indexedText(sql`${id}`)}`

/** SQL for the rows of the records that reference `id`. */
export const referencingRows = (organisationId: string, reference: Reference, id: string) => sql`
  SELECT records.row
  FROM terms CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
  CROSS JOIN records USING (organisation_id, collection, ordinal)
  WHERE ${hasTerm(organisationId, reference, id)} AND ${refersTo(reference, id)}`

/** SQL that tests whether a record references `id`, as a single value or in a list. */
export const refersTo = ({ path }: Pick<Reference, 'path'>, id: string) =>
  sql`EXISTS (SELECT 1 FROM json_each(records.document, ${`$.${path}`}) WHERE value = ${id})`

/*
 * A link (src/model/properties/personal-data.ts) as a row of json_each, so that one statement looks up any number of
 * links.
 */

/** SQL for the condition that selects the term of a link. */
export const isTermOf = (organisationId: string, link: SQL) =>
  sql`${ofOrganisation({ organisationId }, 'terms')} AND terms.collection = ${link}.value ->> '$.from'
    AND terms.field = ${link}.value ->> '$.path'
    AND terms.value = ${indexedText(sql`(${link}.value ->> '$.value')`)}`

/** SQL that tests whether a link may find a record: a record that refers to somebody is theirs, even if its details are another person's. */
export const mayFind = (link: SQL) =>
  sql`(${link}.value ->> '$.by' = 'reference' OR ${hasNoOwner()})`

/** SQL for the rows of the records that any of the links finds. */
export const linkedRows = (organisationId: string, links: readonly PersonLink[]) => sql`
  SELECT records.row FROM json_each(${JSON.stringify(links)}) AS link
  CROSS JOIN terms ON ${isTermOf(organisationId, sql`link`)}
  CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
  CROSS JOIN records ON records.organisation_id = terms.organisation_id
    AND records.collection = terms.collection AND records.ordinal = term_ordinals.ordinal
  WHERE ${mayFind(sql`link`)} AND (octet_length(link.value ->> '$.value') <= 256 OR EXISTS (
    SELECT 1 FROM json_each(records.document, '$.' || (link.value ->> '$.path')) AS held
    WHERE held.value = link.value ->> '$.value'
  ))`
