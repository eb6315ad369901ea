import { dereference, initialBaseURI, type Schema, validate } from '@cfworker/json-schema'

type Reference = { $ref: string }

/** Returns the responses of an operation by status, with those it shares with other operations. */
export const resolveResponses = <Response extends object>(
  responses: Readonly<Record<string, Response | Reference>>,
  shared: Readonly<Record<string, Response>>,
): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if (!('$ref' in response)) return [status, response]
      const resolved = shared[response.$ref.replace('#/components/responses/', '')]
      if (!resolved) throw new Error(`The document has no ${response.$ref}.`)
      return [status, resolved]
    }),
  )

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
