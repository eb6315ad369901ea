import type * as z from 'zod'
import { collectionNames } from '../model/collection.ts'
import { compileRecord } from '../model/properties/compile.ts'
import { type Field, type Kind, parseStoredSchema } from '../model/properties/schema.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { fieldsInCategory, isFieldCategory } from './field-categories.ts'
import { HiddenProperties, hidesAnswer, pathsNamed } from './hidden-properties.ts'
import {
  parseRestrictions,
  type Restrictions,
  restrictionNames,
  restrictionTable,
} from './restrictions.ts'

/** Compiled restrictions: the collections, records and fields that a credential can see. */
export class AccessPolicy {
  readonly restrictions: Restrictions
  /** Whether collections, records or fields are hidden. */
  readonly isRestricted: boolean
  /** Whether records or fields are hidden within the visible collections. */
  readonly isRedacted: boolean
  readonly #schemas = new BoundedMap<string, string>(10)

  constructor(restrictions: Restrictions) {
    this.restrictions = restrictions
    const limits = restrictionNames
      .filter((name) => restrictions[name] !== undefined)
      .map((name) => restrictionTable[name].limits)
    this.isRedacted = limits.includes('records')
    this.isRestricted = this.isRedacted || limits.includes('collections')
  }

  get hidesNotes(): boolean {
    return this.restrictions.privateNotes === false
  }

  allowsOrigin(origin: string): boolean {
    return this.restrictions.origins?.includes(origin) ?? false
  }

  allowsCollection(collection: string): boolean {
    return this.restrictions.collections?.includes(collection) ?? true
  }

  /** Whether a collection has private records, which are hidden: those without `isPrivate: false`. */
  hidesPrivate(collection: string): boolean {
    return this.hidesNotes && collection === 'case-notes'
  }

  allowsRecord(collection: string, document: string): boolean {
    return !this.hidesPrivate(collection) || JSON.parse(document).isPrivate === false
  }

  hiddenFields(fields: readonly Field[]): ReadonlySet<string> {
    const { hideFields = [] } = this.restrictions
    const named = hideFields.flatMap((name) =>
      isFieldCategory(name) ? fieldsInCategory(name, fields) : fieldsBelow(name, fields),
    )
    return new Set(named)
  }

  /** Whether the policy hides survey answers to a question. */
  hidesAnswer(question: { type: string; questionId: string; title: string }): boolean {
    const { hideFields = [] } = this.restrictions
    return hidesAnswer(hideFields, { ...question, question: question.title })
  }

  /** Limits a query of the change feed to visible records. */
  limitChanges<Query extends { collections?: readonly string[] | undefined }>(query: Query) {
    const { restrictions, hidesNotes } = this
    if (!restrictions.collections && !hidesNotes) return query
    const collections = query.collections ?? collectionNames
    return {
      ...query,
      collections: collections.filter((it) => this.allowsCollection(it)),
      hidesNotes,
    }
  }

  /** Removes hidden fields from a schema in JSON text. The schema of a hidden collection has no fields. */
  redactSchema(kind: Kind, text: string | undefined): string | undefined {
    if (!this.allowsCollection(kind)) return noFields
    if (text === undefined || !this.restrictions.hideFields) return text
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
  hiddenProperties(collection: string, type: z.ZodObject): HiddenProperties | undefined {
    const { hideFields } = this.restrictions
    return hideFields && new HiddenProperties(collection, type, hideFields)
  }

  visibleProperties(collection: string, record: z.ZodObject): ReadonlySet<string> {
    const { names } = compileRecord(record)
    const hidden = this.hiddenProperties(collection, record)?.paths
    return hidden ? new Set([...names].filter((name) => !hidden.has(name))) : names
  }

  showsBookingMember(): boolean {
    return !this.restrictions.hideFields?.some((name) =>
      pathsNamed(name, 'bookings').includes('memberId'),
    )
  }

  /** A function that redacts the documents of a collection. Builds its type only to redact. */
  redactor(collection: string, buildType: () => z.ZodObject): (document: string) => string {
    const hidden = this.isRedacted ? this.hiddenProperties(collection, buildType()) : undefined
    return hidden
      ? (document) => JSON.stringify(hidden.redact(JSON.parse(document)))
      : (document) => document
  }

  /** A booking's member if the policy shows members and the booking's `memberId`. */
  visibleMember(member: string | undefined): string | undefined {
    return this.allowsCollection('members') && this.showsBookingMember() ? member : undefined
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
