import { ApiError } from '../model/api-error.ts'

/** The maximum number of fields in a form; each value of a repeated field counts. */
export const maxFormFields = 1000

/** Groups the fields of a form by name, with the values in order. */
export class FieldGroups<Value> {
  readonly byName = new Map<string, Value[]>()
  #count = 0

  /** Adds a field. Throws 413 if the form has too many. */
  add(name: string, value: Value): void {
    if (++this.#count > maxFormFields) {
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `A form must have at most ${maxFormFields.toLocaleString('en-GB')} fields.`,
      )
    }
    const values = this.byName.get(name)
    // Append: copying for each value would take quadratic time.
    if (values) values.push(value)
    else this.byName.set(name, [value])
  }
}
