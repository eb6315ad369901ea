import * as z from 'zod'
import type { timeNames } from './json.ts'

/* The types of responses in the OpenAPI document. Separate, because reads do not load Zod. */

/** The types of the properties that `$include=times` adds. */
const timeProperties = {
  $created: timeProperty('RecordCreated', 'created'),
  $updated: timeProperty('RecordUpdated', 'last changed'),
  $version: z
    .int()
    .meta({
      id: 'RecordVersion',
      description:
        'A number that grows with every change in the organisation. Only in lists with `$include=times`.',
      'x-addition': true,
      examples: [4711],
    })
    .optional(),
} satisfies Record<(typeof timeNames)[number], z.ZodType>

function timeProperty(id: string, event: string) {
  return z.iso
    .datetime({ precision: 3 })
    .meta({
      id,
      description: `The time when the record was ${event} here, in UTC. Only in lists with \`$include=times\`.`,
      'x-addition': true,
      examples: ['2026-03-14T09:30:00.000Z'],
    })
    .optional()
}

/** The type of a list's records, which have times on request. */
export const addTimes = (record: z.ZodObject, id = record.meta()?.id) =>
  record.extend(timeProperties).meta({ id })

// Without a type of further properties, `'name' in record` tells complete records from these in TypeScript.
const SelectedRecord = z.unknown().meta({
  id: 'SelectedRecord',
  type: 'object',
  description: 'A record of a list with `$select`: its id and the selected properties.',
  examples: [{ eventId: 'event-open-day-1', name: 'Open Day' }],
  'x-addition': true,
})

export const listResponseType = (
  plural: string,
  item: z.ZodType,
  { schemaInfo, counted = true }: { schemaInfo?: z.ZodType; counted?: boolean } = {},
) =>
  z.strictObject({
    [plural]: z
      .array(z.union([item, SelectedRecord]))
      .meta({ description: 'The records of this page, in order of arrival.' }),
    ...(schemaInfo && { schemaInfo }),
    offset: pageNumber('PageOffset', 'The number of records that were skipped.', 0),
    limit: pageNumber('PageLimit', 'The maximum number of records in a page.', 100),
    total: counted ? pageTotal : requestedTotal,
    next: nextAddress,
  })

const pageNumber = (id: string, description: string, example: number) =>
  z.int().meta({ id, description, examples: [example] })

const pageTotal = pageNumber(
  'PageTotal',
  'The number of records that match the filters. Absent after the first page of a list with `$skiptoken`.',
  412,
).optional()

const requestedTotal = z
  .int()
  .meta({
    id: 'RequestedTotal',
    description:
      'The number of records that match the filters. Only with `$count=true`, on the first page.',
    'x-addition': true,
    examples: [412],
  })
  .optional()

const nextAddress = z
  .string()
  .meta({
    id: 'NextAddress',
    description:
      'The address of the following page, as path and query. Only with `$filter`, `$orderby`, `$count` or `$skiptoken`, and absent on the last page.',
    'x-addition': true,
    examples: ['/api/v1/events?$filter=bookable%20eq%20true&$skiptoken=k3Jd0hQm9sYxVw2c'],
  })
  .optional()

export const createdResponseType = (singular: string) =>
  z.strictObject({
    [singular]: CreatedRecord,
  })

const CreatedRecord = z
  .strictObject({
    id: z.string().meta({
      description: 'The id from the request, or a new one.',
      examples: ['3f1c2b7e-58a4-4a0e-9d53-0c6b1f1f7a11'],
    }),
  })
  .meta({ id: 'CreatedRecord', description: 'The new record.' })
