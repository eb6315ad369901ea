import { ApiError } from '../model/api-error.ts'

/** How many fields a form may have; each value of a field that is given several times counts. */
export const maxFormFields = 1000

/** The fields of a form: the values of each name, in order. */
export class FieldGroups<Value> {
  readonly byName = new Map<string, Value[]>()
  #count = 0

  /** Adds a field. Throws 413 when the form has too many. */
  add(name: string, value: Value): void {
    if (++this.#count > maxFormFields) {
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `A form must have at most ${maxFormFields.toLocaleString('en-GB')} fields.`,
      )
    }
    const values = this.byName.get(name)
    // Appending, as a copy for each value would take quadratic time.
    if (values) values.push(value)
    else this.byName.set(name, [value])
  }
}
