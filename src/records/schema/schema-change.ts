import { isSameJson } from '../../model/json.ts'
import { derivedFieldIds } from '../../model/properties/area-fields.ts'
import { fieldTypes, isUnique } from '../../model/properties/field-types.ts'
import { fieldValueType } from '../../model/properties/field-value-type.ts'
import {
  type Field,
  isInternalKey,
  type Kind,
  kinds,
  type Schema,
} from '../../model/properties/schema.ts'
import { type FieldValue, readFieldValues } from '../../store/read/field-values.ts'
import { walkDocuments } from '../../store/read/walk-records.ts'
import { trustedStore } from '../../store/trusted-store.ts'
import { replacePeople } from '../../store/write/people.ts'
import { parseDocument } from '../person.ts'

type SchemaChange = { before: Schema | undefined; next: Schema }

/**
 * The reason for a misfit: the field is `gone`, has another `type`, or became unique although
 * people share the value (`shared`); an `area` lost its postcode field; an `option` is gone.
 */
type MisfitReason = 'gone' | 'type' | 'shared' | 'area' | 'option'

/**
 * A field with values that do not fit a changed schema: the ids of the people, and the most
 * frequent values, each with its count and an example.
 */
export type Misfit = {
  field: string
  reason: MisfitReason
  ids: readonly string[]
  values: readonly { value: unknown; people: number; id: string }[]
}

const maxExamples = 5
const chunkPeople = 250

/** The values of people, up to an ordinal, that do not fit a change of their schema. */
export async function findMisfits(
  d1: D1Database,
  scope: { organisationId: string; kind: Kind; last: number },
  change: SchemaChange,
): Promise<Misfit[]> {
  const finders = reasonFinders(change)
  if (finders.size === 0) return []
  const misfits = new Map(
    [...finders.keys()].map((field) => [field, new Map<string, MisfitValue>()]),
  )
  const { organisationId, kind: collection, last } = scope
  const parts = readFieldValues(d1, { organisationId, collection }, [...finders.keys()], last)
  for await (const part of parts) {
    for (const { field, value, ids } of part) {
      const reason = finders.get(field)?.(value)
      const key = JSON.stringify(value)
      const known = misfits.get(field)?.get(key)
      if (known) known.ids.push(...ids)
      else if (reason) misfits.get(field)?.set(key, { field, value, ids, reason })
    }
  }
  return [...misfits.values()].flatMap((values) => {
    const misfitValues = [...values.values()].filter(
      ({ reason, ids }) => reason !== 'shared' || ids.length > 1,
    )
    const byReason = Map.groupBy(misfitValues, ({ reason }) => reason)
    return [...byReason].map(([reason, group]) => toMisfit(reason, group))
  })
}

/** Removes values that do not fit the changed schema from the records, and so from the index. */
export async function removeMisfits(
  d1: D1Database,
  organisationId: string,
  kind: Kind,
  change: SchemaChange,
): Promise<void> {
  const removeFrom = misfitRemover(kind, change)
  const author = { by: 'command line', through: 'import' } as const
  const store = trustedStore(d1, organisationId, author)
  for await (const people of walkDocuments(store, kind, chunkPeople)) {
    await replacePeople(
      d1,
      organisationId,
      people.map((person) => ({ person, document: removeFrom(person.document) })),
      author,
    )
  }
}

/** Returns a function that removes the misfits from a person's document. */
export function misfitRemover(kind: Kind, change: SchemaChange): (document: string) => string {
  const finders = reasonFinders(change)
  const known = new Set(change.next.fields.map(({ id }) => id))
  const isRetained = ([id, value]: [string, unknown]) => {
    if (id === kinds[kind].id || isInternalKey(id)) return true
    const reason = known.has(id) ? finders.get(id)?.(value) : 'gone'
    return !reason || toleratedReasons.has(reason)
  }
  return (document) => {
    const values = Object.entries(parseDocument(document))
    const retained = values.filter(isRetained)
    return retained.length < values.length ? JSON.stringify(Object.fromEntries(retained)) : document
  }
}

type MisfitValue = FieldValue & { reason: MisfitReason }

/** Finds the reason why a value does not fit; undefined if it fits. */
type FindReason = (value: unknown) => MisfitReason | undefined

/** The reasons for which a value stays in the record. */
const toleratedReasons: ReadonlySet<MisfitReason> = new Set(['option', 'shared'])

function toMisfit(reason: MisfitReason, values: readonly MisfitValue[]): Misfit {
  return {
    field: values[0]?.field ?? '',
    reason,
    ids: values.flatMap(({ ids }) => ids),
    values: values
      .toSorted((a, b) => b.ids.length - a.ids.length)
      .slice(0, maxExamples)
      .map(({ value, ids }) => ({ value, people: ids.length, id: ids[0] ?? '' })),
  }
}

/** A function for each field that the change affects. */
function reasonFinders({ before, next }: SchemaChange): Map<string, FindReason> {
  const fieldsBefore = new Map(before?.fields.map((field) => [field.id, field]))
  const derivedBefore = derivedFieldIds(before?.fields ?? [])
  const derived = derivedFieldIds(next.fields)
  const finders = new Map<string, FindReason>()
  for (const field of next.fields) {
    const finder = derived.has(field.id)
      ? undefined
      : reasonFinder(fieldsBefore.get(field.id), field)
    if (finder) finders.set(field.id, finder)
    fieldsBefore.delete(field.id)
  }
  for (const id of fieldsBefore.keys()) {
    finders.set(id, () => (derivedBefore.has(id) ? 'area' : 'gone'))
  }
  return finders
}

function reasonFinder(before: Field | undefined, field: Field): FindReason | undefined {
  if (before?.type !== field.type) {
    const type = fieldValueType(field)
    // `findMisfits` drops the values that only one person has.
    const reasonIfValid = isUnique(field) ? 'shared' : undefined
    return (value) => (type.safeParse(value).success ? reasonIfValid : 'type')
  }
  const { type, options } = field
  if (!options || fieldTypes[type].allowsOther || isSameJson(options, before.options))
    return undefined
  const offered = new Set(options.map(({ value }) => value))
  const offeredBefore = before.options && new Set(before.options.map(({ value }) => value))
  const isGone = (value: unknown) => {
    const text = String(value)
    return !offered.has(text) && (offeredBefore?.has(text) ?? true)
  }
  return (value) => ([value].flat().some(isGone) ? 'option' : undefined)
}
