import * as z from 'zod'
import { propertyPaths, shapeOf } from '../model/collection.ts'
import { isObject } from '../model/is-object.ts'
import { isSameJson } from '../model/same-json.ts'
import { valueAt } from '../model/value-at.ts'
import { answerMayContain, categoryProperties, isFieldCategory } from './field-categories.ts'

type JsonObject = Record<string, unknown>

/** A property that is kept: its path, also into the objects of lists; what it shows instead; and how much of the path leads to a value that is written as one. */
type Kept = {
  path: readonly string[]
  nothing: unknown
  whole: number
  /** Of the objects it is a property of, those where it is kept; of all unless told. */
  where?: (holder: JsonObject) => boolean
}

/** What of a collection's records is kept from a key that is held to be `without` some fields, and shows "nothing" as the contract has it for its type. */
export class HiddenProperties {
  /** The dotted paths that are no fields for the key. */
  readonly paths: ReadonlySet<string>
  readonly #kept: readonly Kept[]
  readonly #named: ReadonlySet<string>
  readonly #hasKinds: boolean

  constructor(collection: string, type: z.ZodObject, without: readonly string[]) {
    const named = new Set(without.flatMap((name) => pathsNamed(name, collection)))
    this.#named = named
    this.#hasKinds = without.some(isFieldCategory)
    this.#kept = [
      ...keptIn(type, (path) => named.has(path)),
      ...(collection === 'survey-responses' ? [answersWithout(without)] : []),
    ]
    this.paths = new Set(
      propertyPaths(type).filter((path) => parts(path).some((part) => named.has(part))),
    )
  }

  /** What is kept, as one would name it. */
  get names(): string[] {
    const names = this.#kept.flatMap(({ path, where }) => {
      if (where) return this.#hasKinds ? ['answers that may hold such'] : []
      return parts(path.join('.')).find((part) => this.#named.has(part)) ?? []
    })
    return [...new Set(names)]
  }

  /** A record, or one as lists show it, as the key sees it. */
  redact(record: JsonObject): JsonObject {
    let shown: unknown = record
    for (const kept of this.#kept) shown = replaced(shown, kept.path, kept)
    return shown as JsonObject
  }

  /**
   * A record that the key gives, with what is kept from it as it was before; and the paths where it
   * gives anything else than it is shown. A list with something kept in its objects is one value.
   */
  restore(given: JsonObject, before?: JsonObject): { record: JsonObject; refused: string[] } {
    const seen = this.redact(before ?? given)
    const refused = new Set<string>()
    let record = given
    for (const kept of this.#kept) {
      if (![given, before].some((it) => holds(it, kept.path, kept))) continue
      const to = kept.path.slice(0, kept.whole)
      const value = valueAt(given, to)
      if (value !== undefined && value !== null && !isSameJson(value, valueAt(seen, to)))
        refused.add(to.join('.'))
      if (before) record = withValue(record, to, valueAt(before, to))
    }
    return { record, refused: [...refused] }
  }
}

/** Whether a path of records of these types can be kept from a key: it must be there, and be something that records can be without. */
export function canBeHidden(path: string, types: readonly z.ZodObject[]): 'yes' | 'no' | 'unknown' {
  const found = types.flatMap((type) => keptIn(type, (it) => it === path))
  if (found.length === 0) return 'unknown'
  return found.every(({ nothing }) => nothing !== undefined) ? 'yes' : 'no'
}

const pathsNamed = (name: string, collection: string): readonly string[] =>
  isFieldCategory(name) ? (categoryProperties[name][collection] ?? []) : [name]

/** `a`, `a.b` and `a.b.c` of `a.b.c`. */
const parts = (path: string) =>
  path.split('.').map((_, place, names) => names.slice(0, place + 1).join('.'))

/** The values of a type below the paths that are named: each scalar, and each list. */
function keptIn(
  type: z.core.$ZodType,
  isNamed: (path: string) => boolean,
  above: readonly string[] = [],
  within?: number,
): Kept[] {
  return Object.entries(shapeOf(type) ?? {}).flatMap(([name, property]) => {
    const path = [...above, name]
    const isKept = isNamed(path.join('.'))
    const below = isKept ? () => true : isNamed
    if (shapeOf(property)) return keptIn(property, below, path, within)
    if (isKept)
      return [{ path, nothing: property.safeParse(undefined).data, whole: within ?? path.length }]
    const item = itemOf(property)
    return item ? keptIn(item, isNamed, path, within ?? path.length) : []
  })
}

/** What a list is a list of. */
function itemOf(type: z.core.$ZodType): z.core.$ZodType | undefined {
  if (type instanceof z.ZodArray) return type.element
  if (type instanceof z.ZodPipe) return itemOf(type.out)
  if (type instanceof z.ZodPrefault || type instanceof z.ZodDefault) return itemOf(type.unwrap())
  return undefined
}

/** An answer to a question that is one of a person's fields is kept like that field. */
const answersWithout = (without: readonly string[]): Kept => ({
  path: ['responses', 'response'],
  nothing: null,
  whole: 1,
  where: (answer) =>
    without.some((name) =>
      isFieldCategory(name)
        ? answerMayContain(name, answer)
        : parts(String(answer.questionId)).includes(name),
    ),
})

function replaced(value: unknown, path: readonly string[], kept: Kept): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, path, kept))
  const [name = '', ...rest] = path
  if (!isObject(value)) return value
  if (rest.length === 0) {
    return kept.where?.(value) === false ? value : { ...value, [name]: kept.nothing }
  }
  return Object.hasOwn(value, name)
    ? { ...value, [name]: replaced(value[name], rest, kept) }
    : value
}

/** Whether there is an object in a record in which such a property is kept. */
function holds(value: unknown, path: readonly string[], kept: Kept): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, path, kept))
  const [name = '', ...rest] = path
  if (!isObject(value)) return false
  if (rest.length === 0) return kept.where?.(value) ?? true
  return Object.hasOwn(value, name) && holds(value[name], rest, kept)
}

/** An object with another value at a path; undefined takes it away. */
function withValue(value: unknown, [name = '', ...rest]: readonly string[], set: unknown) {
  const object: JsonObject = isObject(value) ? { ...value } : {}
  const inner = rest.length > 0 ? withValue(object[name], rest, set) : set
  if (inner === undefined) delete object[name]
  else object[name] = inner
  return object
}
