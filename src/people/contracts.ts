import * as z from 'zod'
import type { Kind } from '../model/schema.ts'
import { kinds } from '../model/schema.ts'

/** A field of a person that has a value (contract 2.1). */
export const FieldObject = z
  .strictObject({
    key: z.string(),
    label: z.string(),
    value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
    type: z.string(),
    options: z.array(z.strictObject({ value: z.string(), label: z.string() })).optional(),
  })
  .meta({ id: 'FieldObject' })

const Link = z.strictObject({ href: z.string() })

/** Where the schema of the people in an answer is found (contract 2.2). */
export const SchemaInfo = z
  .strictObject({
    organisationId: z.string(),
    schemaId: z.literal('master'),
    name: z.string(),
    _links: z.union([z.strictObject({ schema: Link }), z.strictObject({ self: Link })]),
  })
  .meta({ id: 'SchemaInfo' })

/** A person of a kind as answers show them, less the `schemaInfo` of a member in a list. */
export const personType = (kind: Kind) =>
  z.strictObject({ [kinds[kind].id]: z.string(), fields: z.array(FieldObject) })

/** Values of a person as a request gives them. */
export const givenPerson = z.unknown().meta({
  type: 'object',
  propertyNames: { type: 'string' },
  additionalProperties: {},
  description: 'Values by schema field; nested fields by dotted key, or nested.',
  examples: [
    {
      'Full Name': 'Amara Abara',
      Postcode: 'LS11 0ES',
      'demographics.ethnicity': 'Black British',
    },
  ],
})
