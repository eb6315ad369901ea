import * as z from 'zod'
import { ErrorBody } from '../http/error-bodies.ts'
import { collectionNames } from '../model/collection.ts'

/* The types of responses with changes. Separate, because reads do not load Zod. */

export const changeResponses = {
  200: z.strictObject({
    changes: z
      .array(
        z
          .strictObject({
            collection: z
              .enum(collectionNames)
              .meta({ description: 'The collection of the record.', examples: ['members'] }),
            id: z
              .string()
              .meta({ description: 'The id of the record.', examples: ['member-0001'] }),
            change: z
              .enum(['created', 'updated', 'deleted'])
              .meta({ description: 'The last change of the record.', examples: ['updated'] }),
            version: z.int().meta({
              description: 'Greater than the version of every earlier change in the organisation.',
              examples: [4711],
            }),
            at: z.iso.datetime({ precision: 3 }).meta({
              description: 'The time of the change, in UTC.',
              examples: ['2026-03-14T09:30:00.000Z'],
            }),
            record: z
              .record(z.string(), z.unknown())
              .optional()
              .meta({
                description: 'The current record, with `$include=records`.',
                examples: [{ eventId: 'event-open-day-1', name: 'Open Day' }],
              }),
          })
          .meta({ id: 'Change' }),
      )
      .meta({ description: 'The changes in order of version; it can be empty.' }),
    next: z.string().meta({
      description: 'What to send as `$after` next.',
      examples: ['3mv.1f0c9a2b7d4e'],
    }),
    more: z
      .boolean()
      .meta({ description: 'Whether there is more to read already.', examples: [false] }),
  }),
  410: ErrorBody,
}
