import { isObject, isSameJson, valueAt } from '../model/json.ts'
import { compileRecord, type Property } from '../model/properties/compile.ts'
import type { RecordProperties } from '../model/record-properties.ts'
import { answerMayContain, categoryProperties, isFieldCategory } from './field-categories.ts'

type JsonObject = Record<string, unknown>

/** A hidden property. `nothing` replaces its value; the first `whole` names of the path address the value to restore, such as a list. */
type HiddenProperty = {
  path: readonly string[]
  nothing: unknown
  whole: number
  /** Selects the objects that hide the property; by default all. */
  where?: (holder: JsonObject) => boolean
}

/** The hidden properties of a collection. Redacted documents contain empty values instead. */
export class HiddenProperties {
  /** The hidden dotted paths. */
  readonly paths: ReadonlySet<string>
  readonly #properties: readonly HiddenProperty[]
  readonly #named: ReadonlySet<string>
  readonly #hasKinds: boolean

  constructor(collection: string, type: RecordProperties, without: readonly string[]) {
    const named = new Set(without.flatMap((name) => pathsNamed(name, collection)))
    this.#named = named
    this.#hasKinds = without.some(isFieldCategory)
    const { leaves, names } = compileRecord(type)
    this.#properties = [
      ...findHidden(leaves, (path) => named.has(path)),
      ...(collection === 'survey-responses' ? [answersWithout(without)] : []),
    ]
    this.paths = new Set([...names].filter((path) => parts(path).some((part) => named.has(part))))
  }

  /** The names of the hidden properties, for display. */
  get names(): string[] {
    const names = this.#properties.flatMap(({ path, where }) => {
      if (where) return this.#hasKinds ? ['answers that may hold such'] : []
      return parts(path.join('.')).find((part) => this.#named.has(part)) ?? []
    })
    return [...new Set(names)]
  }

  /** Redacts a record or an item of a list. */
  redact(record: JsonObject): JsonObject {
    let redacted: unknown = record
    for (const property of this.#properties)
      redacted = replaceHidden(redacted, property.path, property)
    return redacted as JsonObject
  }

  /**
   * Restores the stored values of hidden properties in an input record, and refuses paths where the
   * input differs from the redacted record. A list with hidden properties counts as one value.
   */
  restore(input: JsonObject, before?: JsonObject): { record: JsonObject; refused: string[] } {
    const redacted = this.redact(before ?? input)
    const refused = new Set<string>()
    let record = input
    for (const property of this.#properties) {
      if (![input, before].some((it) => holds(it, property.path, property))) continue
      const to = property.path.slice(0, property.whole)
      const value = valueAt(input, to)
      if (value !== undefined && value !== null && !isSameJson(value, valueAt(redacted, to)))
        refused.add(to.join('.'))
      if (before) record = withValue(record, to, valueAt(before, to))
    }
    return { record, refused: [...refused] }
  }
}

/** Whether a path can be hidden: it must exist and have an empty value. */
export function canBeHidden(
  path: string,
  types: readonly RecordProperties[],
): 'yes' | 'no' | 'unknown' {
  const matches = types.flatMap((type) =>
    findHidden(compileRecord(type).leaves, (it) => it === path),
  )
  if (matches.length === 0) return 'unknown'
  return matches.every(({ nothing }) => nothing !== undefined) ? 'yes' : 'no'
}

export const pathsNamed = (name: string, collection: string): readonly string[] =>
  isFieldCategory(name) ? (categoryProperties[name][collection] ?? []) : [name]

const parts = (path: string) =>
  path.split('.').map((_, index, names) => names.slice(0, index + 1).join('.'))

const findHidden = (
  properties: readonly Property[],
  isNamed: (path: string) => boolean,
  listDepth?: number,
): HiddenProperty[] =>
  properties.flatMap(({ path, name, emptyValue, items = [] }) => {
    const whole = listDepth ?? path.length
    return parts(name).some(isNamed)
      ? [{ path, nothing: emptyValue, whole }]
      : findHidden(items, isNamed, whole)
  })

/** Whether hidden fields include what a survey answer may contain. */
export const hidesAnswer = (without: readonly string[], answer: JsonObject): boolean =>
  without.some((name) =>
    isFieldCategory(name)
      ? answerMayContain(name, answer)
      : parts(String(answer.questionId)).includes(name),
  )

/** The hidden property for answers to questions about hidden fields. */
const answersWithout = (without: readonly string[]): HiddenProperty => ({
  path: ['responses', 'response'],
  nothing: null,
  whole: 1,
  where: (answer) => hidesAnswer(without, answer),
})

function replaceHidden(value: unknown, path: readonly string[], property: HiddenProperty): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceHidden(item, path, property))
  const [name = '', ...rest] = path
  if (!isObject(value)) return value
  if (rest.length === 0) {
    return property.where?.(value) === false ? value : { ...value, [name]: property.nothing }
  }
  return Object.hasOwn(value, name)
    ? { ...value, [name]: replaceHidden(value[name], rest, property) }
    : value
}

/** Whether a record contains an object with the hidden property. */
function holds(value: unknown, path: readonly string[], property: HiddenProperty): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, path, property))
  const [name = '', ...rest] = path
  if (!isObject(value)) return false
  if (rest.length === 0) return property.where?.(value) ?? true
  return Object.hasOwn(value, name) && holds(value[name], rest, property)
}

/** An object with a value set at a path; undefined removes it. */
function withValue(value: unknown, [name = '', ...rest]: readonly string[], set: unknown) {
  const object: JsonObject = isObject(value) ? { ...value } : {}
  const inner = rest.length > 0 ? withValue(object[name], rest, set) : set
  if (inner === undefined) delete object[name]
  else object[name] = inner
  return object
}
