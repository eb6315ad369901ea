import * as z from 'zod'
import { messages } from '../validation-error.ts'
import { fieldTypeNames } from './field-types.ts'
import { type Field, isInternalKey, reservedFieldIds } from './schema.ts'

const text = () => z.string(messages.text)

const Option = z.preprocess(
  (option) => (typeof option === 'string' ? { value: option, label: option } : option),
  z.strictObject(
    {
      value: text().meta({
        description: 'The value that is stored.',
        examples: ['Black British'],
      }),
      label: text().meta({
        description: 'The text that people read.',
        examples: ['Black or Black British'],
      }),
    },
    'must be a text or an object.',
  ),
)

/** The type of a field definition with its options, if any. Separate, because reading people needs no types. */
export const FieldDefinition = z
  .strictObject(
    {
      id: text()
        .min(1, messages.notEmpty)
        .max(255, messages.maxCharacters(255))
        .refine((id) => !isInternalKey(id), 'must not begin with $.')
        .refine(
          (id) => !reservedFieldIds.includes(id),
          `must not be a reserved name: ${reservedFieldIds.join(', ')}.`,
        )
        .meta({
          description: 'The key of the field in queries and when creating records; unique.',
          examples: ['demographics.ethnicity'],
        }),
      name: text().meta({
        description: 'Another key of the field, when creating records.',
        examples: ['ethnicity'],
      }),
      label: text().meta({ description: 'The label of the field.', examples: ['Ethnicity'] }),
      type: z.enum(fieldTypeNames, messages.oneOf(fieldTypeNames)).meta({
        description: 'The type of its values; a `divider` is a heading without a value.',
        examples: ['select'],
      }),
      order: z
        .number('must be a number.')
        .meta({ description: 'The position of the field in the schema, from 0.', examples: [4] }),
      options: z
        .array(Option, messages.list)
        .optional()
        .meta({ description: 'The options of a select field.' }),
    },
    'is not an object.',
  )
  .meta({ id: 'Field' }) satisfies z.ZodType<Field>
