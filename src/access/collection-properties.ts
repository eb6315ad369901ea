import { compactPostcode } from '../geography/postcode.ts'
import type { Filter } from '../model/filter.ts'
import { isPostcodeField } from '../model/properties/area-fields.ts'
import { compileFields, compileRecord, type Property } from '../model/properties/compile.ts'
import {
  type Field,
  internalKeys,
  isKind,
  type Kind,
  kinds,
  parseStoredSchema,
} from '../model/properties/schema.ts'
import type { Predicate } from '../model/query/predicate.ts'
import type { QueryFields } from '../model/query/resolve.ts'
import type { RecordProperties } from '../model/record-properties.ts'
import type { AccessPolicy } from './access-policy.ts'
import { toQueryFields } from './query-fields.ts'
import type { RecordTypes } from './restrictions.ts'

/**
 * The properties of a collection: the fields of the organisation's schema for people, the declared
 * properties of other records. Queries, tools and pages read this description and need not tell the two apart.
 */
export type CollectionProperties = {
  /** The kind of people with the schema that defines the properties; undefined for other records. */
  schema: Kind | undefined
  /** All properties. */
  all(): readonly Property[]
  /** The names of the properties that the policy hides. */
  hidden(policy: AccessPolicy): ReadonlySet<string>
  /** What the policy hides, for display. */
  describeHidden(policy: AccessPolicy): readonly string[]
  /** The properties that the policy shows. For people, the sources hold the redacted schema. */
  shown(policy: AccessPolicy): readonly Property[]
  /** The shown properties, without any that lists omit. */
  listed(policy: AccessPolicy): readonly Property[]
  /** The fields that the policy lets a query name. */
  queryFields(policy: AccessPolicy): QueryFields
  /** Lets filters on postcodes of people ignore case and spaces. */
  matchSpellings(filters: readonly Filter[]): readonly Filter[]
  /** Limits filters to the fields and records that the policy shows. */
  limitFilters(policy: AccessPolicy, filters: readonly Filter[]): readonly Filter[]
  /** The label of a property where no heading says to which object it belongs. */
  fullLabel(property: Property): string
}

/** The sources of properties: functions, because schemas and types are large. */
type Sources = {
  fields: (kind: Kind) => readonly Field[]
  /** The type of a structured collection's records. */
  record?: (() => RecordProperties | undefined) | undefined
  /** The type of its records in lists, if it differs. */
  item?: () => RecordProperties | undefined
}

/** The fields of a schema in JSON text, which is parsed once. */
export function fieldsIn(schema: string | undefined): Sources['fields'] {
  let fields: readonly Field[] | undefined
  return () => {
    fields ??= parseStoredSchema(schema).fields
    return fields
  }
}

/** The properties of a collection. Records without a type have none. */
export const propertiesOf = (collection: string, sources: Sources): CollectionProperties =>
  isKind(collection) ? personProperties(collection, sources) : recordProperties(collection, sources)

/** The properties of a collection in an organisation with these types. */
export function propertiesIn({ collections, schemas }: RecordTypes, name: string) {
  return propertiesOf(name, {
    fields: (kind) => schemas[kind]?.fields ?? [],
    record: () => collections.find((collection) => collection.name === name)?.record,
  })
}

/** The path of a property in documents. A field of people may have a dot in its id. */
export const propertyPath = (collection: string, name: string): readonly string[] =>
  isKind(collection) ? [name] : name.split('.')

/** The predicate of a filter. Its field may be a list. */
export function filterPredicate(
  { field, values, or, excludes }: Filter,
  collection: string,
): Predicate {
  const fieldOf = (name: string) => ({ path: propertyPath(collection, name), isList: true })
  const membership = { field: fieldOf(field), values: new Set(values) }
  if (excludes) return { not: membership }
  return or
    ? { or: [membership, { field: fieldOf(or.field), values: new Set([or.text]) }] }
    : membership
}

function personProperties(kind: Kind, sources: Sources): CollectionProperties {
  const fields = () => sources.fields(kind)
  const all = () => compileFields(fields())
  const hidden = (policy: AccessPolicy) => policy.hiddenFields(fields())
  const { id } = kinds[kind]
  return {
    schema: kind,
    all,
    hidden,
    describeHidden(policy) {
      const hiddenIds = hidden(policy)
      return fields()
        .filter((field) => hiddenIds.has(field.id))
        .map(({ label }) => label)
    },
    shown: all,
    listed: all,
    queryFields(policy) {
      const hiddenIds = hidden(policy)
      return new Map([
        [id, { path: [id], isList: false, type: 'text' }],
        ...toQueryFields(all().filter(({ name }) => !hiddenIds.has(name))),
      ])
    },
    matchSpellings(filters) {
      if (filters.length === 0) return filters
      const postcodes = new Set(
        fields()
          .filter(isPostcodeField)
          .map(({ id }) => id),
      )
      return filters.map((filter) =>
        postcodes.has(filter.field) ? matchAnySpelling(filter) : filter,
      )
    },
    limitFilters(policy, filters) {
      if (!policy.hidesFields || filters.length === 0) return filters
      const hiddenIds = hidden(policy)
      const visible = fields().filter((field) => !hiddenIds.has(field.id))
      // The filter `postcode` matches any postcode field, so none of them may be hidden.
      const hidesPostcode = fields().some(
        (field) => isPostcodeField(field) && hiddenIds.has(field.id),
      )
      return onlyOn(filters, [
        id,
        ...visible.flatMap((field) => [field.id, internalKeys.postcodePrefix + field.id]),
        ...(hidesPostcode ? [] : [internalKeys.postcode]),
      ])
    },
    fullLabel: ({ label }) => label,
  }
}

function recordProperties(
  collection: string,
  { record = () => undefined, item = () => undefined }: Sources,
): CollectionProperties {
  const all = () => {
    const type = record()
    return type ? compileRecord(type).leaves : []
  }
  const visible = (policy: AccessPolicy): ReadonlySet<string> => {
    const type = record()
    return type ? policy.visibleProperties(collection, type) : new Set()
  }
  const shown = (policy: AccessPolicy) => {
    const names = visible(policy)
    return all().filter(({ name }) => names.has(name))
  }
  return {
    schema: undefined,
    all,
    hidden(policy) {
      const names = visible(policy)
      return new Set(
        all()
          .map(({ name }) => name)
          .filter((name) => !names.has(name)),
      )
    },
    describeHidden(policy) {
      const type = record()
      return (type && policy.hiddenProperties(collection, type)?.names) ?? []
    },
    shown,
    listed(policy) {
      const type = item() ?? record()
      const names = type ? compileRecord(type).names : new Set()
      return shown(policy).filter(({ name }) => names.has(name))
    },
    queryFields: (policy) => toQueryFields(shown(policy)),
    matchSpellings: (filters) => filters,
    limitFilters(policy, filters) {
      const visibleFilters = policy.hidesFields ? onlyOn(filters, visible(policy)) : filters
      const limits = policy.hiddenRecords(collection).map(({ visible }) => visible)
      return [...visibleFilters, ...limits]
    },
    fullLabel: ({ section, label }) => (section ? `${section}: ${label}` : label),
  }
}

/** A filter on a postcode field that ignores case and spaces. It also matches the exact spelling, because older records have no normalised postcode. */
export function matchAnySpelling({ field, values }: Filter): Filter {
  const text = String(values[0])
  const or = { field: internalKeys.postcodePrefix + field, text: compactPostcode(text) }
  return { field, values: [text], or }
}

/** Replaces filters on other fields with a filter that matches nothing. */
function onlyOn(filters: readonly Filter[], fields: Iterable<string>): readonly Filter[] {
  const names = new Set(fields)
  return filters.map((filter) => (names.has(filter.field) ? filter : nothing))
}

// No record has a field of this name.
const nothing: Filter = { field: '$', values: [''] }
