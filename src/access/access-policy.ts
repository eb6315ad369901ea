import { collectionNames } from '../model/collection.ts'
import { passesFilter } from '../model/filter.ts'
import { compileRecord } from '../model/properties/compile.ts'
import { type Field, isKind, type Kind, parseStoredSchema } from '../model/properties/schema.ts'
import type { RecordProperties } from '../model/record-properties.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { fieldsInCategory, isFieldCategory } from './field-categories.ts'
import { HiddenProperties, hidesAnswer, pathsNamed } from './hidden-properties.ts'
import {
  effectsOf,
  type HiddenRecords,
  parseRestrictions,
  type RestrictionEffect,
} from './restriction-effects.ts'
import type { Restrictions } from './restrictions.ts'

/** Compiled restrictions: the collections, records and fields that a credential can see. */
export class AccessPolicy {
  readonly #effects: readonly RestrictionEffect[]
  readonly #hiddenRecords: readonly HiddenRecords[]
  readonly #hiddenFields: readonly string[]
  readonly #schemas = new BoundedMap<string, string>(10)

  constructor(restrictions: Restrictions) {
    this.#effects = effectsOf(restrictions)
    this.#hiddenRecords = this.#effects.flatMap(({ hiddenRecords = [] }) => hiddenRecords)
    this.#hiddenFields = this.#effects.flatMap(({ hiddenFields = [] }) => hiddenFields)
  }

  /** Whether collections, records or fields are hidden. */
  get isRestricted(): boolean {
    return this.hidesCollections || this.isRedacted
  }

  /** Whether records or fields are hidden within the visible collections. */
  get isRedacted(): boolean {
    return this.#hiddenRecords.length > 0 || this.hidesFields
  }

  get hidesCollections(): boolean {
    return this.#effects.some(({ collections }) => collections)
  }

  get hidesFields(): boolean {
    return this.#hiddenFields.length > 0
  }

  /** Whether a client's address is in all networks. Only networks need the code that parses addresses. */
  async allowsAddress(address: string | undefined): Promise<boolean> {
    const limits = this.#effects.flatMap(({ networks }) => (networks ? [networks] : []))
    if (limits.length === 0) return true
    const { isInNetworks } = await import('./networks.ts')
    return limits.every((networks) => isInNetworks(address, networks))
  }

  allowsOrigin(origin: string): boolean {
    return this.#effects.some(({ origins }) => origins?.includes(origin))
  }

  allowsCollection(collection: string): boolean {
    return this.#effects.every(({ collections }) => collections?.includes(collection) ?? true)
  }

  /** The records of a collection, or of all, that are hidden. Every read and write of records asks this. */
  hiddenRecords(collection?: string): readonly HiddenRecords[] {
    return collection === undefined
      ? this.#hiddenRecords
      : this.#hiddenRecords.filter((hidden) => hidden.collection === collection)
  }

  allowsRecord(collection: string, document: string): boolean {
    const hidden = this.hiddenRecords(collection)
    if (hidden.length === 0) return true
    const record = JSON.parse(document)
    return hidden.every(({ visible }) => passesFilter(visible, record))
  }

  hiddenFields(fields: readonly Field[]): ReadonlySet<string> {
    const named = this.#hiddenFields.flatMap((name) =>
      isFieldCategory(name) ? fieldsInCategory(name, fields) : fieldsBelow(name, fields),
    )
    return new Set(named)
  }

  /** Whether the policy hides survey answers to a question. */
  hidesAnswer(question: { type: string; questionId: string; title: string }): boolean {
    return hidesAnswer(this.#hiddenFields, { ...question, question: question.title })
  }

  /** Limits a query of the change feed to visible records. */
  limitChanges<Query extends { collections?: readonly string[] | undefined }>(query: Query) {
    if (!this.hidesCollections && this.#hiddenRecords.length === 0) return query
    const collections = query.collections ?? collectionNames
    return {
      ...query,
      collections: collections.filter((it) => this.allowsCollection(it)),
      hidden: this.hiddenRecords(),
    }
  }

  /** Removes hidden fields from a schema in JSON text. The schema of a hidden collection has no fields. */
  redactSchema(kind: Kind, text: string | undefined): string | undefined {
    if (!this.allowsCollection(kind)) return noFields
    if (text === undefined || !this.hidesFields) return text
    const known = this.#schemas.get(text)
    if (known !== undefined) return known
    const schema = parseStoredSchema(text)
    const hiddenIds = this.hiddenFields(schema.fields)
    const redacted = JSON.stringify({
      ...schema,
      fields: schema.fields.filter(({ id }) => !hiddenIds.has(id)),
    })
    this.#schemas.set(text, redacted)
    return redacted
  }

  /** The hidden properties of a collection; undefined if the policy hides no fields. */
  hiddenProperties(collection: string, type: RecordProperties): HiddenProperties | undefined {
    return this.hidesFields ? new HiddenProperties(collection, type, this.#hiddenFields) : undefined
  }

  visibleProperties(collection: string, record: RecordProperties): ReadonlySet<string> {
    const { names } = compileRecord(record)
    const hidden = this.hiddenProperties(collection, record)?.paths
    return hidden ? new Set([...names].filter((name) => !hidden.has(name))) : names
  }

  /** Whether a property of a collection's records, such as `memberId` of bookings, is visible. */
  showsProperty(collection: string, name: string): boolean {
    return !this.#hiddenFields.some((hidden) => pathsNamed(hidden, collection).includes(name))
  }

  /** The names among the changed fields of a record that are visible. `schema` is that of the collection's people, as JSON text. */
  visibleChanges(
    collection: string,
    changed: readonly string[],
    schema: string | undefined,
  ): readonly string[] {
    if (!this.hidesFields) return changed
    if (!isKind(collection)) return changed.filter((name) => this.showsProperty(collection, name))
    // A field that is no longer in the schema has no category any more, so it might be a hidden one.
    const fields = schema === undefined ? [] : parseStoredSchema(schema).fields
    const hiddenIds = this.hiddenFields(fields)
    const visible = new Set(fields.map(({ id }) => id).filter((id) => !hiddenIds.has(id)))
    return changed.filter((name) => visible.has(name))
  }

  /** A function that redacts the documents of a collection. Builds its type only to redact. */
  redactor(collection: string, buildType: () => RecordProperties): (document: string) => string {
    const hidden = this.isRedacted ? this.hiddenProperties(collection, buildType()) : undefined
    return hidden
      ? (document) => JSON.stringify(hidden.redact(JSON.parse(document)))
      : (document) => document
  }

  /** A booking's member if the policy shows members and the booking's `memberId`. */
  visibleMember(member: string | undefined): string | undefined {
    return this.allowsCollection('members') && this.showsProperty('bookings', 'memberId')
      ? member
      : undefined
  }
}

const noFields = '{"name":"","fields":[]}'

const policies = new BoundedMap<string, AccessPolicy>(50)

/** The policy without restrictions. */
const whole = new AccessPolicy({})

/** The access policy for stored restrictions. */
export function accessPolicyFor(restrictions: string | null): AccessPolicy {
  if (restrictions === null) return whole
  const known = policies.get(restrictions)
  if (known) return known
  const policy = new AccessPolicy(parseRestrictions(restrictions))
  policies.set(restrictions, policy)
  return policy
}

const fieldsBelow = (name: string, fields: readonly Field[]) =>
  fields.map(({ id }) => id).filter((id) => id === name || id.startsWith(`${name}.`))
