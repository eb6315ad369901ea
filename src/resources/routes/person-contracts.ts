import * as z from 'zod'
import { type Kind, kinds } from '../../model/properties/schema.ts'
import { asValueType } from '../../model/properties/types.ts'

/** A field of a person that has a value. */
export const FieldObject = z
  .strictObject({
    key: z.string().meta({
      description: 'The id of the field in the schema; a dot separates a group from a name.',
      examples: ['demographics.ethnicity'],
    }),
    label: z.string().meta({ description: 'The label of the field.', examples: ['Ethnicity'] }),
    value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).meta({
      description:
        'The value: a text, a number, a boolean, or a list of texts if several options can be chosen. Dates are `YYYY-MM-DD`.',
      examples: ['Black British'],
    }),
    type: z.string().meta({
      description: 'The type of the field, such as `text`, `date`, `select` or `multipleSelect`.',
      examples: ['select'],
    }),
    options: z
      .array(
        z.strictObject({
          value: z.string().meta({
            description: 'The value that is stored.',
            examples: ['Black British'],
          }),
          label: z.string().meta({
            description: 'The text that people read.',
            examples: ['Black or Black British'],
          }),
        }),
      )
      .optional()
      .meta({
        description: 'The options, if the field has any; only in responses with one person.',
      }),
  })
  .meta({ id: 'FieldObject' })

const Link = z
  .strictObject({
    href: z
      .string()
      .meta({ description: 'The path of the schema.', examples: ['/api/v1/schemas/oak-trust'] }),
  })
  .meta({ description: 'The link to the schema.' })

/** The identifying properties of a schema. */
export const schemaProperties = {
  organisationId: z.string().meta({
    description: 'The id of the organisation.',
    examples: ['oak-trust'],
  }),
  schemaId: z.literal('master').meta({
    description:
      'The id of the schema: always `master`, because each kind of people has one schema.',
  }),
  name: z.string().meta({ description: 'The name of the schema.', examples: ['Member Schema'] }),
}

/** The link to the schema of the people in a response. */
export const SchemaInfo = z
  .strictObject({
    ...schemaProperties,
    _links: z.union([z.strictObject({ schema: Link }), z.strictObject({ self: Link })]).meta({
      description:
        'The link to the schema: `schema` for members, `self` for volunteers and partners.',
    }),
  })
  .meta({ id: 'SchemaInfo' })

export const personType = (kind: Kind) =>
  z.strictObject({
    [kinds[kind].id]: asValueType(
      'text',
      z.string().meta({
        description: `The id of the ${kinds[kind].singular}: unique among the organisation's ${kind}.`,
        examples: [`${kinds[kind].singular}-0001`],
      }),
    ),
    fields: asValueType(
      'objects',
      z
        .array(FieldObject)
        .meta({ description: 'The fields that have a value, in the order of the schema.' }),
    ),
  })

/** The values of a person in a request. */
export const personInput = z.unknown().meta({
  id: 'PersonInput',
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
