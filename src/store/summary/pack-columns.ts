import { type SQL, sql } from 'drizzle-orm/sql'
import { indexedText } from '../bitmap/bits.ts'
import { ofOrganisation } from '../fragments.ts'
import { jsonPath } from '../query/sort-keys.ts'
import { statement } from '../statement.ts'
import {
  type PackedField,
  packedFieldNames,
  packedFields,
  packOf,
  packSize,
  parsePack,
} from './packed-fields.ts'

/** For which organisations the schedule packs columns, and how much a run does at most. */
const packLimits = {
  /** Organisations with fewer records need no packs. */
  minRecords: 20_000,
  /** The number of changes that wait for each other: the packs of a changed record are written as a whole. */
  minChanges: 1000,
  /** The number of changed records that a run reads. */
  maxRecords: 5000,
  /** The number of packs of each field that a run writes, some 15 KB each. */
  maxPacks: 100,
}

type PackLimits = typeof packLimits

/** The length of a JSON list of packs. D1 accepts parameters of 2 MB. */
const maxJsonLength = 1_000_000

/** An organisation with changes after the version up to which it is packed. */
type Behind = { organisationId: string; version: number; currentVersion: number; isNew: 0 | 1 }

/**
 * A changed record with the ids of its terms in the packed fields of its collection, in their order: 0 without a value,
 * null for a document that has to be read.
 */
type Change = {
  version: number
  collection: string
  ordinal: number
  termIds: readonly (number | null)[]
}

type Pack = { collection: string; field: string; pack: number; termIds: string }

/**
 * Packs the next changes of an organisation in a database that is behind, in the order of their versions. Chance chooses
 * the organisation: if the changes of one cannot be packed, the others are packed all the same.
 */
export async function packNextOrganisation(
  d1: D1Database,
  limits: PackLimits = packLimits,
): Promise<void> {
  const next = await findNext(d1, limits)
  if (!next) return
  if (next.isNew) await startAgain(d1, next)
  const found = await readChanges(d1, next, limits)
  const changes = takeChanges(found, limits)
  const last = changes.at(-1)?.version ?? next.version
  const isComplete = found.length < limits.maxRecords && changes.length === found.length
  const packs = mergeChanges(await readPacks(d1, next, changes), changes)
  await writePacks(d1, next, packs, isComplete ? Math.max(last, next.currentVersion) : last)
}

const findNext = (d1: D1Database, { minRecords, minChanges }: PackLimits) =>
  statement(
    d1,
    sql`SELECT organisationId, currentVersion, isNew, iif(isNew, 0, packed) AS version
      FROM (
        SELECT id AS organisationId, organisations.version AS currentVersion,
          fields IS NOT ${packedFieldNames} AS isNew, packed_organisations.version AS packed
        FROM organisations LEFT JOIN packed_organisations ON organisation_id = id
        WHERE records >= ${minRecords} AND database IS NULL AND moving_to IS NULL
      )
      WHERE isNew OR currentVersion - packed >= ${minChanges}
      ORDER BY random() LIMIT 1`,
  ).first<Behind>()

/** Deletes the packs of an organisation, which are of other fields, if there are any. */
async function startAgain(d1: D1Database, { organisationId }: Behind): Promise<void> {
  await d1.batch([
    statement(d1, sql`DELETE FROM packed_columns WHERE ${ofOrganisation({ organisationId })}`),
    statement(
      d1,
      sql`INSERT OR REPLACE INTO packed_organisations (organisation_id, fields, version)
        VALUES (${organisationId}, ${packedFieldNames}, 0)`,
    ),
  ])
}

async function readChanges(
  d1: D1Database,
  { organisationId, version }: Behind,
  { maxRecords }: PackLimits,
): Promise<Change[]> {
  const termIds = [...fieldsByCollection].map(
    ([collection, fields]) =>
      sql`WHEN ${collection} THEN json_array(${sql.join(fields.map(selectTermId), sql`, `)})`,
  )
  const query = sql`SELECT version, collection, ordinal,
      CASE collection ${sql.join(termIds, sql` `)} ELSE '[]' END AS termIds
    FROM records INDEXED BY records_by_version
    WHERE ${ofOrganisation({ organisationId })} AND version > ${version}
    ORDER BY version LIMIT ${maxRecords}`
  const { results } = await statement(d1, query).all<
    Omit<Change, 'termIds'> & { termIds: string }
  >()
  return results.map((row) => ({ ...row, termIds: JSON.parse(row.termIds) }))
}

const fieldsByCollection = Map.groupBy(packedFields, ({ collection }) => collection)

/** SQL for the id of a record's term in a field: 0 without a value, NULL for a value that is no text. */
function selectTermId({ path }: PackedField): SQL {
  const keys = jsonPath({ path: path.split('.'), isList: false })
  return sql`CASE coalesce(json_type(document, ${keys}), 'null')
    WHEN 'null' THEN 0
    WHEN 'text' THEN (
      SELECT id FROM terms
      WHERE terms.organisation_id = records.organisation_id AND terms.collection = records.collection
        AND field = ${path} AND value = ${indexedText(sql`(document ->> ${keys})`)}
    ) END`
}

const keyOf = (collection: string, pack: number) => `${collection} ${pack}`

/** The first changes that are in at most `maxPacks` packs of a field. */
function takeChanges(changes: readonly Change[], { maxPacks }: PackLimits): readonly Change[] {
  const packs = new Set<string>()
  const end = changes.findIndex(({ collection, ordinal }) => {
    if (fieldsByCollection.has(collection)) packs.add(keyOf(collection, packOf(ordinal)))
    return packs.size > maxPacks
  })
  return end === -1 ? changes : changes.slice(0, end)
}

/** Reads the packs that have these changes. A new one is empty. */
async function readPacks(
  d1: D1Database,
  { organisationId }: Behind,
  changes: readonly Change[],
): Promise<Pack[]> {
  const groups = new Map(
    changes.map(({ collection, ordinal }) => {
      const pack = packOf(ordinal)
      return [keyOf(collection, pack), { collection, pack }]
    }),
  )
  const keys = [...groups.values()].flatMap(({ collection, pack }) =>
    (fieldsByCollection.get(collection) ?? []).map(({ path }) => [collection, path, pack]),
  )
  const query = sql`SELECT item.value ->> 0 AS collection, item.value ->> 1 AS field, item.value ->> 2 AS pack,
      coalesce(term_ids, '') AS termIds
    FROM json_each(${JSON.stringify(keys)}) AS item LEFT JOIN packed_columns
      ON ${ofOrganisation({ organisationId })} AND collection = item.value ->> 0
        AND field = item.value ->> 1 AND pack = item.value ->> 2`
  return (await statement(d1, query).all<Pack>()).results
}

/** The packs with the changes in them. */
function mergeChanges(packs: readonly Pack[], changes: readonly Change[]): Pack[] {
  const byPack = Map.groupBy(changes, ({ collection, ordinal }) =>
    keyOf(collection, packOf(ordinal)),
  )
  return packs.map(({ collection, field, pack, termIds }) => {
    const merged = parsePack(termIds)
    const index = (fieldsByCollection.get(collection) ?? []).findIndex(({ path }) => path === field)
    for (const change of byPack.get(keyOf(collection, pack)) ?? [])
      merged[change.ordinal % packSize] = String(change.termIds[index] ?? '')
    return { collection, field, pack, termIds: merged.join() }
  })
}

/** Writes packs with their version in one transaction, which changes nothing if another run was faster. */
async function writePacks(
  d1: D1Database,
  { organisationId, version }: Behind,
  packs: readonly Pack[],
  newVersion: number,
): Promise<void> {
  const isUnchanged = sql`organisation_id = ${organisationId} AND fields = ${packedFieldNames} AND version = ${version}`
  const inserts = splitJson(packs).map(
    (json) => sql`INSERT INTO packed_columns (organisation_id, collection, field, pack, term_ids)
      SELECT ${organisationId}, value ->> 'collection', value ->> 'field', value ->> 'pack', value ->> 'termIds'
      FROM json_each(${json}) WHERE EXISTS (SELECT 1 FROM packed_organisations WHERE ${isUnchanged})
      ON CONFLICT DO UPDATE SET term_ids = excluded.term_ids`,
  )
  const update = sql`UPDATE packed_organisations SET version = ${newVersion} WHERE ${isUnchanged}`
  await d1.batch([...inserts, update].map((query) => statement(d1, query)))
}

/** Packs as JSON lists that D1 accepts as parameters. */
function splitJson(packs: readonly Pack[]): string[] {
  const lists: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const pack of packs) {
    const json = JSON.stringify(pack)
    length += json.length
    if (length > maxJsonLength) {
      lists.push([])
      length = json.length
    }
    lists.at(-1)?.push(json)
  }
  return lists.map((list) => `[${list.join()}]`)
}
