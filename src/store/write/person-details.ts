import { type SQL, sql } from 'drizzle-orm/sql'
import { type Detail, personalDataRules } from '../../model/properties/personal-data.ts'

/** A property that holds a detail of a person. */
export type DetailProperty = { from: string; path: string; detail: Detail }

/** The values of each detail of a person, in all spellings that are looked up. */
export type Spellings = Readonly<Record<Detail, readonly string[]>>

const rules = Object.entries(personalDataRules)

/** Every property that holds a detail. */
export const detailProperties: readonly DetailProperty[] = rules.flatMap(
  ([from, { details = {} }]) =>
    Object.entries(details).map(([path, detail]) => ({ from, path, detail })),
)

/** The paths of the names and owners by collection, as JSON text. */
const namePaths = JSON.stringify(Object.fromEntries(rules.map(([from, { name }]) => [from, name])))
const ownerPaths = JSON.stringify(
  Object.fromEntries(rules.map(([from, { owner }]) => [from, owner])),
)

/** SQL for the name in a record; NULL if its collection has none. */
export const recordName = sql`records.document ->> ('$.' || (${namePaths} ->> records.collection))`

/** SQL that tests whether a record refers to nobody, so that a detail says whose it is. */
export const hasNoOwner = (
  document: SQL = sql`records.document`,
  collection: SQL = sql`records.collection`,
): SQL => sql`coalesce(${document} ->> ('$.' || (${ownerPaths} ->> ${collection})), '') = ''`
