import { dereference, initialBaseURI, type Schema, validate } from '@cfworker/json-schema'

/** A function that gives the errors of a value by a schema of an OpenAPI document with these components. */
export function faultsWith(components: object) {
  // Walking through the components takes far longer than a validation.
  const known = dereference({ components } as Schema)
  let validations = 0
  return (schema: Schema | boolean, value: unknown) => {
    dereference(schema, known, initialBaseURI, `/validations/${++validations}`)
    return validate(value, schema, '2020-12', known, false).errors
  }
}
