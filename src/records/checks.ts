import { ApiError } from '../model/api-error.ts'
import { type Fault, sentence } from '../model/checked.ts'
import { namedBy, references } from '../model/references.ts'
import { sameJson } from '../model/same-json.ts'
import type { Values } from '../model/schema.ts'
import { words } from '../model/words.ts'
import type { Unique } from '../store/owners.ts'
import type { Written } from '../store/put.ts'
import type { Found, Named } from '../store/write.ts'

/** A record that is written: the place its faults are named below, what it is, what was kept before, and whether that differs. */
export type Change = {
  place: string
  written: Written
  values: Values
  before: Values | undefined
  differs: boolean
}

const mostFaults = 100

/** The refusal of a request with these faults: of many, the first and how many more. */
export function refusal(faults: readonly Fault[]): ApiError {
  const more = faults.length - mostFaults
  const told = sentence(faults.slice(0, mostFaults))
  return new ApiError(
    'BAD_REQUEST',
    more > 0 ? `${told} And ${more.toLocaleString('en-GB')} more faults.` : told,
    {},
    faults,
  )
}

/** The values that must be no other record's, where they are or may be new, and faults where two of the changes have the same. */
export class UniqueOf {
  readonly values: Unique[] = []
  readonly faults: Fault[] = []
  readonly #places = new Map<string, string>()

  constructor(fields: readonly string[], changes: readonly Change[], areAllNew = false) {
    for (const { place, values, before, differs } of changes) {
      for (const field of fields.filter((field) => Object.hasOwn(values, field))) {
        const value = String(values[field])
        const key = JSON.stringify([field, value])
        const name = place + field
        const earlier = this.#places.get(key)
        if (earlier !== undefined)
          this.faults.push({ field: name, reason: `is the value of ${earlier} too.` })
        else this.#places.set(key, name)
        const isNew = !before || (areAllNew && differs) || !sameJson(values[field], before[field])
        if (isNew) this.values.push({ field, value })
      }
    }
  }

  /** The faults of values that another record was found to have. */
  taken({ taken }: Found, singular: string): Fault[] {
    return taken.map(({ field, value }) => ({
      field: this.#places.get(JSON.stringify([field, value])) ?? field,
      reason: `is the value of another ${singular}.`,
    }))
  }
}

/** The records that changes newly name, each once, with the places that name it. */
export class NamedBy {
  readonly #places = new Map<string, { named: Named; fields: string[] }>()

  constructor(collection: string, changes: readonly Change[]) {
    for (const reference of references.filter(({ from }) => from === collection)) {
      const { to, optional } = reference
      for (const { place, values, before } of changes) {
        const known = new Set(namedBy(reference, before ?? {}).map(({ id }) => id))
        for (const { path, id } of namedBy(reference, values)) {
          const mayBeNone = optional && id === '' && path === reference.path
          if (known.has(id) || mayBeNone) continue
          const key = JSON.stringify([to, id])
          const { fields = [] } = this.#places.get(key) ?? {}
          this.#places.set(key, { named: { to, id }, fields: [...fields, place + path] })
        }
      }
    }
  }

  get named(): Named[] {
    return [...this.#places.values()].map(({ named }) => named)
  }

  /** The faults of what was found not to be there. */
  missing({ missing }: Found): Fault[] {
    const places = [...this.#places.values()]
    return missing.flatMap((at) => {
      const { named, fields } = places[at] ?? { fields: [] }
      const reason = `must be the id of one of the ${named && words(named.to)}.`
      return fields.map((field) => ({ field, reason }))
    })
  }
}
