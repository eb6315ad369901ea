import * as z from 'zod'
import { type Kind, kinds } from '../../model/properties/schema.ts'

/** A field of a person that has a value (contract 2.1). */
export const FieldObject = z
  .strictObject({
    key: z.string().meta({
      description: 'The id of the field in the schema; a dot stands between a group and a name.',
      examples: ['demographics.ethnicity'],
    }),
    label: z.string().meta({ description: 'What people call the field.', examples: ['Ethnicity'] }),
    value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).meta({
      description:
        'What the person has there: a text, a number, a boolean, or a list of texts where several can be chosen. Dates are `YYYY-MM-DD`.',
      examples: ['Black British'],
    }),
    type: z.string().meta({
      description: 'What the field takes, such as `text`, `date`, `select` or `multipleSelect`.',
      examples: ['select'],
    }),
    options: z
      .array(
        z.strictObject({
          value: z.string().meta({
            description: 'What a person then has in the field.',
            examples: ['Black British'],
          }),
          label: z
            .string()
            .meta({ description: 'What is read.', examples: ['Black or Black British'] }),
        }),
      )
      .optional()
      .meta({
        description: 'What can be chosen, where something can; only when one person is asked for.',
      }),
  })
  .meta({ id: 'FieldObject' })

const Link = z
  .strictObject({
    href: z
      .string()
      .meta({ description: 'The path of the schema.', examples: ['/api/v1/schemas/oak-trust'] }),
  })
  .meta({ description: 'Where the schema is.' })

/** The identifying properties of a schema (contract 2.5). */
export const schemaProperties = {
  organisationId: z.string().meta({
    description: 'The id of the organisation.',
    examples: ['oak-trust'],
  }),
  schemaId: z
    .literal('master')
    .meta({ description: 'The id of the schema: each kind of people has one, and it is this.' }),
  name: z.string().meta({ description: 'What the schema is called.', examples: ['Member Schema'] }),
}

/** The link to the schema of the people in a response (contract 2.2). */
export const SchemaInfo = z
  .strictObject({
    ...schemaProperties,
    _links: z
      .union([z.strictObject({ schema: Link }), z.strictObject({ self: Link })])
      .meta({ description: 'Where the schema is found: `schema` of a member, `self` of others.' }),
  })
  .meta({ id: 'SchemaInfo' })

/** Returns the type of a person in responses, without the `schemaInfo` of listed members. */
export const personType = (kind: Kind) =>
  z.strictObject({
    [kinds[kind].id]: z.string().meta({
      description: `The id of the ${kinds[kind].singular}: unique among the organisation's ${kind}.`,
      examples: [`${kinds[kind].singular}-0001`],
    }),
    fields: z
      .array(FieldObject)
      .meta({ description: 'The fields that have a value, in the order of the schema.' }),
  })

/** The values of a person in a request. */
export const personInput = z.unknown().meta({
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
