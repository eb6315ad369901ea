import type { Context } from 'hono'
import { getLayout } from '../../formats/person-layout.ts'
import { ApiError } from '../../model/api-error.ts'
import {
  type Collection,
  collectionLabel,
  collectionNames,
  recordNoun,
} from '../../model/collection.ts'
import { compileFields, compileRecord, type Property } from '../../model/properties/compile.ts'
import { personName } from '../../model/properties/person-name.ts'
import { isBirthDate } from '../../model/properties/recognise.ts'
import {
  type Field,
  type Kind,
  kinds,
  parseStoredSchema,
  type Schema,
} from '../../model/properties/schema.ts'
import { references } from '../../model/references.ts'
import { valueTypes } from '../../model/value-types.ts'
import { resources } from '../../resources/resources.ts'
import type { RecordList } from '../../resources/routes/list-route.ts'
import type { Resource } from '../../resources/routes/resource.ts'
import { readVisibleSchema } from '../../store/read/single.ts'
import type { FindLinked, ShownValues } from '../collections/collection-pages.ts'
import { findLabel, pagesOf } from '../collections/collections.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { ValueFormat } from '../ui/format-value.ts'
import { valueKinds } from '../ui/value-kinds.ts'
import { findFormat, isTechnical } from './property-formats.ts'

/** A property on pages and forms. */
export type ShownProperty = Property & {
  format?: ValueFormat | undefined
  /** Whether it means something to a system only, such as the id of an account. Lists omit it. */
  isTechnical: boolean
  /** Whether forms include the property. Ids, derived values and lists of objects are read-only. */
  isEditable: boolean
}

const areasSection = 'Areas'

/** The properties of people from their schema's fields. Area fields form the last section. */
function showFields(fields: readonly Field[]): ShownProperty[] {
  const properties = compileFields(fields)
  return [
    ...properties.filter(({ isDerived }) => !isDerived),
    ...properties
      .filter(({ isDerived }) => isDerived)
      .map((property) => ({ ...property, section: areasSection })),
  ].map((property) => ({
    ...property,
    format:
      valueKinds[property.type].canBeMoney && property.label.includes('£') ? 'money' : undefined,
    isTechnical: false,
    isEditable: !property.isDerived,
  }))
}

/** The properties of a structured collection. */
const showRecord = ({ name, record, id, counted = [] }: Collection): ShownProperty[] =>
  compileRecord(record).leaves.map((property) => ({
    ...property,
    label: findLabel(name, property.name) ?? property.label,
    format: findFormat(property.name),
    isTechnical:
      isTechnical(property.name) &&
      !references.some(({ from, path }) => from === name && path === property.name),
    isEditable:
      valueTypes[property.type].control !== undefined &&
      ![id, ...readOnlyNames].includes(property.path.at(-1) ?? '') &&
      !counted.includes(property.name),
  }))

const readOnlyNames = ['managedBy', 'created', 'updated']

export type { ShownValues }

/** A collection's labels, fields and properties for pages. */
export type CollectionInfo = {
  name: string
  /** The labels of the collection and of one record. */
  label: string
  singularLabel: string
  /** The property that holds the records in the API's list. */
  plural: string
  id: string
  kind: Kind | undefined
  fields: Schema['fields']
  properties: readonly ShownProperty[]
  /** The names of the default table columns. */
  defaultColumns: readonly string[]
  /** The default order of lists; undefined for order of arrival. */
  defaultOrder: { name: string; isDescending: boolean } | undefined
  /** The names of the fields that the filter panel begins with. */
  mainFilters: readonly string[]
  /** The names of the properties that a search looks at; people have another search. */
  searched: readonly string[]
  /** The API's list and resource for its records. */
  list: RecordList
  resource: Resource
}

/** The fields of people that the filter panel begins with: a date, a ward and tags. */
function findMainFilters(properties: readonly ShownProperty[]): string[] {
  const main = [
    properties.find((property) => property.type === 'date' && !isBirthDate(property)),
    properties.find(({ name }) => name.endsWith('.ward')),
    properties.find(({ type }) => type === 'list'),
  ]
  return main.flatMap((property) => property?.name ?? [])
}

/** Describes a collection, or throws 404. The organisation's schema defines the properties of people; `schema` is its text, if the caller has it. */
export async function describeCollection(
  c: Context<DashboardEnv>,
  name: string,
  schema?: string,
): Promise<CollectionInfo> {
  const load = collectionNames.includes(name) ? resources[name] : undefined
  if (!load) throw new ApiError('NOT_FOUND', 'This list does not exist.')
  const { collection, kind, list, resource } = await load()
  if (!list || !resource) throw new ApiError('NOT_FOUND', 'This list does not exist.')
  const pages = pagesOf(name)
  const names = { name, label: collectionLabel(name), singularLabel: recordNoun(name) }
  if (kind) {
    const { store } = c.var
    const text =
      schema === undefined
        ? await readVisibleSchema(store, kind)
        : store.policy.redactSchema(kind, schema)
    const { fields } = parseStoredSchema(text)
    const { id } = kinds[kind]
    const properties = showFields(fields)
    const defaults = getLayout(text).profileFieldIds
    const otherProperties = properties.filter(
      (property) => property.isEditable && !defaults.includes(property.name),
    )
    const columns = [...defaults, ...otherProperties.map(({ name }) => name)].slice(0, 6)
    return {
      ...names,
      kind,
      fields,
      properties,
      list,
      resource,
      plural: name,
      id,
      defaultColumns: columns,
      mainFilters: findMainFilters(properties),
      searched: [],
      defaultOrder:
        columns[0] === undefined ? undefined : { name: columns[0], isDescending: false },
    }
  }
  if (!collection || pages.isPeople) throw new ApiError('NOT_FOUND', 'This list does not exist.')
  const { columns, newestBy, filters, searched } = pages
  const visible = c.var.store.policy.visibleProperties(name, collection.record)
  const isVisible = (property: string) => visible.has(property)
  const { plural, id } = collection
  return {
    ...names,
    plural,
    id,
    kind,
    fields: [],
    list,
    resource,
    properties: showRecord(collection).filter(({ name }) => isVisible(name)),
    defaultColumns: columns.filter(isVisible),
    mainFilters: filters,
    searched: searched.filter(isVisible),
    defaultOrder: { name: newestBy ?? 'name', isDescending: newestBy !== undefined },
  }
}

export type DescribeCollection = (name: string) => Promise<CollectionInfo>

/** Describes each collection once for a page of several reports: a statement reads the schema of people. */
export function describeOnce(c: Context<DashboardEnv>): DescribeCollection {
  const described = new Map<string, Promise<CollectionInfo>>()
  return (name) => {
    const collection = described.get(name) ?? describeCollection(c, name)
    described.set(name, collection)
    return collection
  }
}

/** A record's name or title, otherwise a description such as "Case note, 14 Mar 2026". */
export function recordTitle(
  { kind, fields, name }: CollectionInfo,
  values: ShownValues,
  findLinked?: FindLinked,
): string {
  const noun = capitalise(recordNoun(name))
  if (kind) return personName(fields, values) || `${noun} without a name`
  const { title } = pagesOf(name)
  if (!title) return textOf(values.name) || textOf(values.title) || `${noun} without a name`
  const [named, detail] = title(values, findLinked)
  return [textOf(named) || noun, textOf(detail)].filter(Boolean).join(', ')
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const capitalise = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
