import { sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../access/access-policy.ts'
import { quote } from '../formats/csv.ts'
import type { ArchiveFile } from '../formats/personal-data.ts'
import { escapeFormula, risky } from '../model/cell-text.ts'
import { collectionLabel, collectionNames, collectionTitle } from '../model/collection.ts'
import { valueAt } from '../model/json.ts'
import { type Property, toLabel } from '../model/properties/compile.ts'
import { kindNames } from '../model/properties/schema.ts'
import { type Reference, references } from '../model/references.ts'
import { isTextList, type StoredForm, valueTypes } from '../model/value-types.ts'
import { single } from '../platform/single.ts'
import { propertiesOfType } from '../records/rules.ts'
import { loadCollection } from '../resources/resources.ts'
import { redactorOf } from '../resources/routes/resource.ts'
import { text } from '../store/columns.ts'
import { readVisibleSchemas } from '../store/read/single.ts'
import { walkRecords } from '../store/read/walk-records.ts'
import { readOrganisation } from '../store/settings/organisation.ts'
import type { Store } from '../store/store.ts'

/*
 * A package to leave with: a CSV file of each collection, and `datapackage.json`, which describes their columns as
 * Data Package 2.0 of Frictionless (https://datapackage.org). The columns are the properties that the caller may see.
 */

/** A collection as a table of the package. */
type Table = {
  collection: string
  /** The property with the key. */
  id: string
  columns: readonly Column[]
  references: readonly Reference[]
  /** What the caller may see; the columns follow from it. */
  policy: AccessPolicy
  redact: (document: string) => string
}

type Column = Pick<Property, 'path' | 'type' | 'options' | 'description' | 'isNullableText'> & {
  /** The heading, which spreadsheets do not run as a formula either. */
  name: string
  title: string
}

/** Yields `datapackage.json` and the CSV files of all collections that the caller may see. */
export async function* buildDataPackage(store: Store): AsyncGenerator<ArchiveFile, void> {
  const tables = await readTables(store)
  const { name } = await readOrganisation(store)
  const descriptor = describePackage(store.organisationId, name, tables)
  yield { name: 'datapackage.json', texts: single(`${JSON.stringify(descriptor, null, 2)}\n`) }
  for (const table of tables)
    yield { name: `${table.collection}.csv`, texts: writeTable(store, table) }
}

async function readTables(store: Store): Promise<Table[]> {
  const schemas = await readVisibleSchemas(store, kindNames)
  const { policy } = store
  const visible = collectionNames.filter((collection) => policy.allowsCollection(collection))
  return Promise.all(
    visible.map(async (collection): Promise<Table> => {
      const { resource } = await loadCollection(collection)
      const { id, kind } = resource
      const { shown, fullLabel } = propertiesOfType(resource, kind && schemas[kind])
      const properties = shown(policy).filter(({ name }) => name !== id)
      const names = new Set(properties.map(({ name }) => name))
      const own = references.filter(
        ({ from, path, to }) => from === collection && names.has(path) && visible.includes(to),
      )
      const key = {
        path: [id],
        name: id,
        title: toLabel(id),
        type: 'text' as const,
        isNullableText: false,
      }
      return {
        collection,
        id,
        columns: [
          key,
          ...properties.map((property) => ({
            ...property,
            name: escapeFormula(property.name),
            title: fullLabel(property),
            // An empty reference refers to nothing.
            isNullableText:
              property.isNullableText && own.every(({ path }) => path !== property.name),
          })),
        ],
        references: own,
        policy,
        redact: redactorOf(resource, policy),
      }
    }),
  )
}

const describePackage = (id: string, title: string, tables: readonly Table[]) => ({
  $schema: `${profiles}datapackage.json`,
  name: id,
  title,
  description: packageDescription,
  created: new Date().toISOString(),
  resources: tables.map((table) => describeTable(table, tables)),
})

const profiles = 'https://datapackage.org/profiles/2.0/'

const packageDescription = [
  'Personal data: keep it safe. Lists are JSON. Remove the first apostrophe of strings that match',
  risky.source.replace('*', '+'),
].join(' ')

function describeTable(
  { collection, id, columns, references: own }: Table,
  tables: readonly Table[],
) {
  const single = own.filter(({ path }) =>
    columns.some((column) => column.name === path && !isTextList(column)),
  )
  return {
    name: collection,
    path: `${collection}.csv`,
    type: 'table',
    title: collectionLabel(collection),
    schema: {
      $schema: `${profiles}tableschema.json`,
      fields: columns.map((column) => describeColumn(column, column.name === id, own)),
      primaryKey: [id],
      ...(single.length > 0 && {
        foreignKeys: single.map(({ path, to }) => ({
          fields: [path],
          reference: {
            resource: to,
            fields: [tables.find((table) => table.collection === to)?.id],
          },
        })),
      }),
    },
  }
}

function describeColumn(
  { name, title, type, options, description }: Column,
  isKey: boolean,
  own: readonly Reference[],
) {
  // A foreign key cannot say that each id of a list refers to a record.
  const target = own.find(({ path }) => path === name)
  return {
    name,
    title,
    ...(description && {
      description: target ? `${description} Refers to ${collectionTitle(target.to)}.` : description,
    }),
    type: fieldTypes[valueTypes[type].stored],
    // No constraint: a record may have an option that its schema has no longer.
    ...(options && { options }),
    ...(isKey && { constraints: { required: true, unique: true } }),
  }
}

const fieldTypes: Readonly<Record<StoredForm, string>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  time: 'datetime',
  texts: 'array',
  objects: 'array',
  any: 'any',
}

// Limits memory use, because a document can have half a megabyte.
const chunkSize = 100

async function* writeTable(
  store: Store,
  { collection, columns, policy, redact }: Table,
): AsyncGenerator<string, void> {
  yield `${columns.map(({ name }) => quote(name)).join(',')}\r\n`
  const walk = { columns: { document: text(sql`document`) }, size: chunkSize, policy }
  for await (const chunk of walkRecords(store, collection, walk)) {
    const visible = chunk.filter(({ document }) => policy.allowsRecord(collection, document))
    yield visible
      .map(({ document }) => {
        const record: unknown = JSON.parse(redact(document))
        return `${columns.map((column) => writeCell(column, valueAt(record, column.path))).join(',')}\r\n`
      })
      .join('')
  }
}

function writeCell({ isNullableText }: Column, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value === '' && !isNullableText) return ''
  return quote(typeof value === 'string' ? escapeFormula(value) : JSON.stringify(value))
}
