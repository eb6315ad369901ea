import type * as z from 'zod'
import { isPostcodeField } from '../geography/enrichment.ts'
import { pathsOf } from '../model/collection.ts'
import { collectionNames } from '../model/collection-names.ts'
import type { Filter } from '../model/filter.ts'
import { hidden } from '../model/hidden-keys.ts'
import { type Field, type Kind, keptSchema, kinds } from '../model/schema.ts'
import { fieldsOfKind, isKindOfField } from './kinds-of-fields.ts'
import { type Limits, limitsOf } from './limits.ts'
import { KeptProperties } from './properties.ts'

const mostViews = 50
const mostSchemas = 10

/** What a credential sees of an organisation's records: all that its limits do not keep from it. */
export class View {
  readonly limits: Limits
  readonly #schemas = new Map<string, string>()

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** Whether records are kept from it, or what is in them. */
  get isPart(): boolean {
    return this.limits.collections !== undefined || this.isRedacted
  }

  /** Whether something is kept from it in the collections it sees. */
  get isRedacted(): boolean {
    return this.hidesNotes || this.limits.without !== undefined
  }

  get hidesNotes(): boolean {
    return this.limits.privateNotes === false
  }

  sees(collection: string): boolean {
    return this.limits.collections?.includes(collection) ?? true
  }

  /** Whether a record is there for it: a case note must say that it is not private. */
  shows(collection: string, document: string): boolean {
    if (!this.hidesNotes || collection !== 'case-notes') return true
    return JSON.parse(document).isPrivate === false
  }

  /** The ids of a schema's fields that are kept from it. */
  keptFields(fields: readonly Field[]): ReadonlySet<string> {
    const { without = [] } = this.limits
    const named = without.flatMap((name) =>
      isKindOfField(name) ? fieldsOfKind(name, fields) : fieldsBelow(name, fields),
    )
    return new Set(named)
  }

  /** What of the feed there is for it. */
  changes<Query extends { collections?: readonly string[] | undefined }>(query: Query) {
    const { limits, hidesNotes } = this
    if (!limits.collections && !hidesNotes) return query
    const asked = query.collections ?? collectionNames
    return { ...query, collections: asked.filter((it) => this.sees(it)), hidesNotes }
  }

  /** A schema as JSON text, without the fields that are kept from it; without any where its people are. */
  schema(kind: Kind, text: string | undefined): string | undefined {
    if (!this.sees(kind)) return noFields
    if (text === undefined || !this.limits.without) return text
    const known = this.#schemas.get(text)
    if (known !== undefined) return known
    if (this.#schemas.size >= mostSchemas) this.#schemas.clear()
    const schema = keptSchema(text)
    const kept = this.keptFields(schema.fields)
    const seen = JSON.stringify({
      ...schema,
      fields: schema.fields.filter(({ id }) => !kept.has(id)),
    })
    this.#schemas.set(text, seen)
    return seen
  }

  /** What of a collection's records of a type is kept from it; undefined for nothing. */
  kept(collection: string, type: z.ZodObject): KeptProperties | undefined {
    const { without } = this.limits
    return without && new KeptProperties(collection, type, without)
  }

  /** The dotted paths that are fields of a structured collection for it, of those there are. */
  fields(collection: string, record: z.ZodObject, all: ReadonlySet<string>): ReadonlySet<string> {
    const kept = this.kept(collection, record)
    return kept ? new Set([...all].filter((path) => !kept.paths.has(path))) : all
  }

  /** Whether it is shown which member a booking is for. */
  linksMembers(booking: z.ZodObject): boolean {
    return !this.kept('bookings', booking)?.paths.has('memberId')
  }

  /** Filters as they find only what there is for it; `record` is what a structured collection has. */
  filtersOf(
    collection: string,
    filters: readonly Filter[],
    record: z.ZodObject | undefined,
  ): readonly Filter[] {
    const seen =
      record && this.limits.without
        ? onlyOn(filters, this.fields(collection, record, new Set(pathsOf(record))))
        : filters
    return this.hidesNotes && collection === 'case-notes' ? [...seen, isPublic] : seen
  }

  /** Filters on people as they find only what there is for it, by the whole schema as JSON text. */
  filtersOfPeople(
    kind: Kind,
    filters: readonly Filter[],
    whole: string | undefined,
  ): readonly Filter[] {
    if (!this.limits.without || filters.length === 0) return filters
    const { fields } = keptSchema(whole)
    const kept = this.keptFields(fields)
    const seen = new Set([
      kinds[kind].id,
      ...fields.flatMap(({ id }) => (kept.has(id) ? [] : [id, hidden.postcodeOf + id])),
      // It finds people by all their postcodes.
      ...(fields.some((field) => isPostcodeField(field) && kept.has(field.id))
        ? []
        : [hidden.postcode]),
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

const views = new Map<string, View>()

/** The view of a credential without limits. */
const whole = new View({})

/** The view under limits as they are kept. */
export function viewOf(limits: string | null): View {
  if (limits === null) return whole
  const known = views.get(limits)
  if (known) return known
  if (views.size >= mostViews) views.clear()
  const view = new View(limitsOf(limits))
  views.set(limits, view)
  return view
}

const fieldsBelow = (name: string, fields: readonly Field[]) =>
  fields.map(({ id }) => id).filter((id) => id === name || id.startsWith(`${name}.`))
