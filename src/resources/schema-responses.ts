import * as z from 'zod'
import { ErrorBody } from '../http/error-bodies.ts'
import { FieldDefinition } from '../model/properties/field-type.ts'
import { schemaProperties } from './routes/person-contracts.ts'

/* The types of responses with a schema. Separate, because reads do not load Zod. */

const Schema = z
  .strictObject({
    ...schemaProperties,
    fields: z.array(FieldDefinition).meta({ description: 'The fields, in display order.' }),
  })
  .meta({ id: 'Schema' })

export const schemaResponses = {
  200: Schema.extend({
    schema: Schema.meta({
      description: 'The same schema again: the contract documents both shapes.',
    }),
  }).meta({ id: 'SchemaAnswer' }),
  404: ErrorBody,
}
