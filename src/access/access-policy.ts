import type * as z from 'zod'
import { isPostcodeField } from '../geography/enrichment.ts'
import { propertyPaths } from '../model/collection.ts'
import { collectionNames } from '../model/collection-names.ts'
import type { Filter } from '../model/filter.ts'
import { internalKeys } from '../model/internal-keys.ts'
import { type Field, type Kind, kinds, parseStoredSchema } from '../model/schema.ts'
import { fieldsInCategory, isFieldCategory } from './field-categories.ts'
import { HiddenProperties } from './hidden-properties.ts'
import { parseRestrictions, type Restrictions } from './restrictions.ts'

const mostViews = 50
const mostSchemas = 10

/** What a credential sees of an organisation's records: all that its limits do not keep from it. */
export class AccessPolicy {
  readonly restrictions: Restrictions
  readonly #schemas = new Map<string, string>()

  constructor(limits: Restrictions) {
    this.restrictions = limits
  }

  /** Whether records are kept from it, or what is in them. */
  get isRestricted(): boolean {
    return this.restrictions.collections !== undefined || this.isRedacted
  }

  /** Whether something is kept from it in the collections it sees. */
  get isRedacted(): boolean {
    return this.hidesNotes || this.restrictions.without !== undefined
  }

  get hidesNotes(): boolean {
    return this.restrictions.privateNotes === false
  }

  allowsCollection(collection: string): boolean {
    return this.restrictions.collections?.includes(collection) ?? true
  }

  /** Whether a record is there for it: a case note must say that it is not private. */
  allowsRecord(collection: string, document: string): boolean {
    if (!this.hidesNotes || collection !== 'case-notes') return true
    return JSON.parse(document).isPrivate === false
  }

  /** The ids of a schema's fields that are kept from it. */
  hiddenFields(visiblePaths: readonly Field[]): ReadonlySet<string> {
    const { without = [] } = this.restrictions
    const named = without.flatMap((name) =>
      isFieldCategory(name)
        ? fieldsInCategory(name, visiblePaths)
        : fieldsBelow(name, visiblePaths),
    )
    return new Set(named)
  }

  /** What of the feed there is for it. */
  limitChanges<Query extends { collections?: readonly string[] | undefined }>(query: Query) {
    const { restrictions, hidesNotes } = this
    if (!restrictions.collections && !hidesNotes) return query
    const asked = query.collections ?? collectionNames
    return { ...query, collections: asked.filter((it) => this.allowsCollection(it)), hidesNotes }
  }

  /** A schema as JSON text, without the fields that are kept from it; without any where its people are. */
  redactSchema(kind: Kind, text: string | undefined): string | undefined {
    if (!this.allowsCollection(kind)) return noFields
    if (text === undefined || !this.restrictions.without) return text
    const known = this.#schemas.get(text)
    if (known !== undefined) return known
    if (this.#schemas.size >= mostSchemas) this.#schemas.clear()
    const schema = parseStoredSchema(text)
    const hiddenProperties = this.hiddenFields(schema.fields)
    const seen = JSON.stringify({
      ...schema,
      fields: schema.fields.filter(({ id }) => !hiddenProperties.has(id)),
    })
    this.#schemas.set(text, seen)
    return seen
  }

  /** What of a collection's records of a type is kept from it; undefined for nothing. */
  kept(collection: string, type: z.ZodObject): HiddenProperties | undefined {
    const { without } = this.restrictions
    return without && new HiddenProperties(collection, type, without)
  }

  /** The dotted paths that are fields of a structured collection for it, of those there are. */
  fields(collection: string, record: z.ZodObject, all: ReadonlySet<string>): ReadonlySet<string> {
    const kept = this.kept(collection, record)
    return kept ? new Set([...all].filter((path) => !kept.paths.has(path))) : all
  }

  /** Whether it is shown which member a booking is for. */
  showsBookingMember(booking: z.ZodObject): boolean {
    return !this.kept('bookings', booking)?.paths.has('memberId')
  }

  /** Filters as they find only what there is for it; `record` is what a structured collection has. */
  limitFilters(
    collection: string,
    filters: readonly Filter[],
    record: z.ZodObject | undefined,
  ): readonly Filter[] {
    const seen =
      record && this.restrictions.without
        ? onlyOn(filters, this.fields(collection, record, new Set(propertyPaths(record))))
        : filters
    return this.hidesNotes && collection === 'case-notes' ? [...seen, isPublic] : seen
  }

  /** Filters on people as they find only what there is for it, by the whole schema as JSON text. */
  limitPersonFilters(
    kind: Kind,
    filters: readonly Filter[],
    whole: string | undefined,
  ): readonly Filter[] {
    if (!this.restrictions.without || filters.length === 0) return filters
    const { fields } = parseStoredSchema(whole)
    const kept = this.hiddenFields(fields)
    const seen = new Set([
      kinds[kind].id,
      ...fields.flatMap(({ id }) => (kept.has(id) ? [] : [id, internalKeys.postcodeOf + id])),
      // It finds people by all their postcodes.
      ...(fields.some((field) => isPostcodeField(field) && kept.has(field.id))
        ? []
        : [internalKeys.postcode]),
    ])
    return onlyOn(filters, seen)
  }
}

/** The filters with one that nothing passes in place of each on no field. */
const onlyOn = (filters: readonly Filter[], fields: ReadonlySet<string>) =>
  filters.map((filter) => (fields.has(filter.field) ? filter : nothing))

// No record has a field of this name.
const nothing: Filter = { field: '$', values: [''] }

const isPublic: Filter = { field: 'isPrivate', values: [false] }

const noFields = '{"name":"","fields":[]}'

const views = new Map<string, AccessPolicy>()

/** The view of a credential without limits. */
const whole = new AccessPolicy({})

/** The view under limits as they are kept. */
export function accessPolicyFor(limits: string | null): AccessPolicy {
  if (limits === null) return whole
  const known = views.get(limits)
  if (known) return known
  if (views.size >= mostViews) views.clear()
  const view = new AccessPolicy(parseRestrictions(limits))
  views.set(limits, view)
  return view
}

const fieldsBelow = (name: string, fields: readonly Field[]) =>
  fields.map(({ id }) => id).filter((id) => id === name || id.startsWith(`${name}.`))
