import * as z from 'zod'

/** Returns the type of a list of records that concern several people. */
export const sharedRecordsType = (description: string) =>
  z
    .array(
      z.strictObject({
        collection: z.string().meta({
          description: 'The collection of the record, as in the path of its list.',
          examples: ['case-notes'],
        }),
        id: z.string().meta({ description: 'The id of the record.', examples: ['note-7'] }),
      }),
    )
    .meta({ description })
