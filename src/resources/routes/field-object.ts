import type { Z } from '../../model/record-properties.ts'

/** The type of a field of a person that has a value. */
export const fieldObject = (z: Z) =>
  z
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
