import { ApiError } from '../model/api-error.ts'
import { collectionTitle } from '../model/collection-title.ts'
import { referencedIds, references } from '../model/references.ts'
import { isSameJson } from '../model/same-json.ts'
import type { Values } from '../model/schema.ts'
import { formatErrors, type ValidationError } from '../model/validation-error.ts'
import type { UniqueValue } from '../store/read/unique-values.ts'
import type { NewDocument } from '../store/write/put.ts'
import type { ReferencedRecord, WriteResult } from '../store/write/write.ts'

/** A record that is written: the place its errors are named below, what it is, what was kept before, and whether that differs. */
export type Change = {
  place: string
  written: NewDocument
  values: Values
  before: Values | undefined
  differs: boolean
}

const mostFaults = 100

/** The refusal of a request with these errors: of many, the first and how many more. */
export function validationFailed(errors: readonly ValidationError[]): ApiError {
  const more = errors.length - mostFaults
  const told = formatErrors(errors.slice(0, mostFaults))
  return new ApiError(
    'BAD_REQUEST',
    more > 0 ? `${told} And ${more.toLocaleString('en-GB')} more errors.` : told,
    {},
    errors,
  )
}

/** The values that must be no other record's, where they are or may be new, and errors where two of the changes have the same. */
export class UniqueChecks {
  readonly values: UniqueValue[] = []
  readonly errors: ValidationError[] = []
  readonly #places = new Map<string, string>()

  constructor(fields: readonly string[], changes: readonly Change[], areAllNew = false) {
    for (const { place, values, before, differs } of changes) {
      for (const field of fields.filter((field) => Object.hasOwn(values, field))) {
        const value = String(values[field])
        const key = JSON.stringify([field, value])
        const name = place + field
        const earlier = this.#places.get(key)
        if (earlier !== undefined)
          this.errors.push({ field: name, message: `is the value of ${earlier} too.` })
        else this.#places.set(key, name)
        const isNew = !before || (areAllNew && differs) || !isSameJson(values[field], before[field])
        if (isNew) this.values.push({ field, value })
      }
    }
  }

  /** The errors of values that another record was found to have. */
  taken({ taken }: WriteResult, singular: string): ValidationError[] {
    return taken.map(({ field, value }) => ({
      field: this.#places.get(JSON.stringify([field, value])) ?? field,
      message: `is the value of another ${singular}.`,
    }))
  }
}

/** The records that changes newly name, each once, with the places that name it. */
export class ReferenceChecks {
  readonly #places = new Map<string, { named: ReferencedRecord; fields: string[] }>()

  constructor(collection: string, changes: readonly Change[]) {
    for (const reference of references.filter(({ from }) => from === collection)) {
      const { to, optional } = reference
      for (const { place, values, before } of changes) {
        const known = new Set(referencedIds(reference, before ?? {}).map(({ id }) => id))
        for (const { path, id } of referencedIds(reference, values)) {
          const mayBeNone = optional && id === '' && path === reference.path
          if (known.has(id) || mayBeNone) continue
          const key = JSON.stringify([to, id])
          const { fields = [] } = this.#places.get(key) ?? {}
          this.#places.set(key, { named: { to, id }, fields: [...fields, place + path] })
        }
      }
    }
  }

  get named(): ReferencedRecord[] {
    return [...this.#places.values()].map(({ named }) => named)
  }

  /** The errors of what was found not to be there. */
  missing({ missing }: WriteResult): ValidationError[] {
    const places = [...this.#places.values()]
    return missing.flatMap((at) => {
      const { named, fields } = places[at] ?? { fields: [] }
      const message = `must be the id of one of the ${named && collectionTitle(named.to)}.`
      return fields.map((field) => ({ field, message }))
    })
  }
}
