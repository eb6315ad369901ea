import { addTimes, listResponseType } from '../../formats/response-types.ts'
import { recordIdentifier } from '../../model/collection.ts'
import { type Kind, kinds } from '../../model/properties/schema.ts'
import * as z from '../../model/zod.ts'
import { fieldObject } from './field-object.ts'

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
const SchemaInfo = z
  .strictObject({
    ...schemaProperties,
    _links: z.union([z.strictObject({ schema: Link }), z.strictObject({ self: Link })]).meta({
      description:
        'The link to the schema: `schema` for members, `self` for volunteers and partners.',
    }),
  })
  .meta({ id: 'SchemaInfo' })

const personType = (kind: Kind) =>
  z.strictObject({
    [kinds[kind].id]: z.string().meta({
      description: `The id of the ${kinds[kind].singular}: unique among the organisation's ${kind}.`,
      examples: [`${kinds[kind].singular}-0001`],
    }),
    fields: z
      .array(fieldObject(z))
      .meta({ description: 'The fields that have a value, in the order of the schema.' }),
  })

const schemaInfoType = SchemaInfo.meta({
  description: 'The schema that defines the fields.',
})

/** The responses of the list of members. */
export function memberListResponses() {
  const item = addTimes(personType('members').extend({ schemaInfo: schemaInfoType }), 'Member')
  return { 200: listResponseType('members', item, { counted: false }) }
}

/** The responses of the list of volunteers or partners. */
export const peopleListResponses = (kind: Kind) => ({
  200: listResponseType(kind, addTimes(personType(kind), recordIdentifier(kind)), {
    schemaInfo: schemaInfoType,
  }),
})

/** The type of a response with one person. */
export const personResponseType = (kind: Kind) =>
  z.strictObject({
    [kinds[kind].singular]: personType(kind).meta({ description: 'The person with all fields.' }),
    schemaInfo: schemaInfoType,
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
