import { dereference, initialBaseURI, type Schema, validate } from '@cfworker/json-schema'

/** Returns a function that validates values against schemas of an OpenAPI document with these components. */
export function schemaValidator(components: object) {
  // Cached: dereferencing the components takes far longer than a validation.
  const known = dereference({ components } as Schema)
  let validations = 0
  return (schema: Schema | boolean, value: unknown) => {
    dereference(schema, known, initialBaseURI, `/validations/${++validations}`)
    return validate(value, schema, '2020-12', known, false).errors
  }
}
