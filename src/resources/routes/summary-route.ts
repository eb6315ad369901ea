import * as z from 'zod'
import { route } from '../../auth/route.ts'
import type { Content } from '../../formats/content.ts'
import { createCsvWriter } from '../../formats/csv.ts'
import { contentDisposition } from '../../formats/download.ts'
import { jsonContent } from '../../formats/json.ts'
import { mediaTypes } from '../../formats/list.ts'
import type { ResponseContext } from '../../formats/stream.ts'
import { negotiateFormat } from '../../http/accept.ts'
import { checkFilters, preferHeaders } from '../../http/filters.ts'
import { londonDay } from '../../model/timestamp.ts'
import type { Found, Known, Unchanged } from '../../store/state.ts'
import { type SummaryAnswer, summarise } from '../summary/summarise.ts'
import type { SummaryRequest } from '../summary/summary-request.ts'
import { respondConditionally } from './conditional.ts'
import type { RecordList } from './list-route.ts'
import { type SummaryOptions, summaryQuery } from './summary-query.ts'

const summaryTypes = { json: mediaTypes.json, csv: mediaTypes.csv }

const Measures = z.record(z.string(), z.unknown()).meta({
  id: 'SummaryMeasures',
  description:
    'The result of each measure by its name, null without one. `hidden` is true if `$hideBelow` hides the results, and `previous` has those of the year before with `$compare`.',
  examples: [{ count: 12, people: 7 }],
})

const Summary = z
  .strictObject({
    groups: z
      .array(
        z
          .looseObject({
            by: z.array(z.union([z.string(), z.number(), z.boolean()])).meta({
              description: 'The values of the group, in the order of `$by`.',
              examples: [['2026-10']],
            }),
          })
          .meta({ id: 'SummaryGroup', description: 'A group with its measures.' }),
      )
      .meta({ description: 'The groups; none without `$by`.' }),
    total: Measures.meta({
      description: 'The measures of all records, not added up from groups.',
    }),
    withoutGroup: Measures.optional().meta({
      description: 'The measures of the records without a value to group by.',
    }),
    described: z.string().meta({
      description: 'What was counted, over what, and what was left out.',
      examples: ['40 bookings of 21 different people, where date ge 2026-10-01.'],
    }),
  })
  .meta({ id: 'Summary' })

/** `GET /$summary`: groups and measures the records of a collection. */
export function getSummary(list: RecordList) {
  return route(
    {
      operationId: 'summarise',
      summary: 'Summarise the records of a collection',
      description:
        'Groups records and measures each group and all of them. The filters of the list apply too. Reads at most 200,000 rows.',
      isAddition: true,
      isConditional: true,
      sharedTag: 'summaries',
      path: {
        collection: { description: 'The path segment of a collection.', example: 'events' },
      },
      query: summaryQuery(list),
      headers: preferHeaders,
      responseHeaders: { 200: ['Warning', 'Preference-Applied', 'Content-Disposition'] },
      responses: () => ({ 200: Summary }),
      otherFormats: { [mediaTypes.csv]: 'month(created),count\r\n2026-10,12\r\n' },
    },
    (c) => {
      const { request, format } = c.req.valid('query')
      const isStrict = c.req.valid('header').Prefer
      const chosen = format.$format ?? negotiateFormat(summaryTypes, c.req.header('Accept'))
      // Ages change at midnight without any change of the records.
      const variant = [summaryTypes[chosen], isStrict ? 'strict' : '', londonDay(Date.now())]
      return respondConditionally(c, variant.filter(Boolean).join(', '), (known) =>
        readContent(c, list, { request, format: { ...format, $format: chosen }, isStrict }, known),
      )
    },
  )
}

type ContentOptions = SummaryOptions & { isStrict: boolean | undefined }

async function readContent<U extends Unchanged>(
  c: ResponseContext,
  list: RecordList,
  { request, format, isStrict }: ContentOptions,
  known: Known<U>,
): Promise<Found<Content> | U> {
  const found = await summarise(c.var.store, list, request, known)
  if (found.unchanged) return found
  const headers = checkFilters({ filters: request.filters, isStrict }, () => found.fieldNames)
  const content =
    format.$format === 'csv'
      ? csvContent(c, list.name, request, found.answer, format.$bom)
      : jsonContent(
          Object.fromEntries(
            Object.entries(found.answer).map(([key, value]) => [key, JSON.stringify(value)]),
          ),
        )
  return { ...content, headers: { ...content.headers, ...headers }, state: found.state }
}

/** A row for each group, or one for all records without groups. */
function csvContent(
  c: ResponseContext,
  name: string,
  { by, measures, isCompared }: SummaryRequest,
  { groups, total }: SummaryAnswer,
  $bom: boolean,
): Content {
  const { begin, type, extension } = createCsvWriter({ $labels: false, $bom, $formulas: 'quoted' })
  const measured = measures.map(({ text }) => text)
  const columns = [
    ...by.map(({ text }, index) => ({ name: text, path: ['by', String(index)] })),
    ...measured.map((text) => ({ name: text, path: [text] })),
    ...(isCompared ? measured : []).map((text) => ({
      name: `previous.${text}`,
      path: ['previous', text],
    })),
  ]
  const rows = (by.length > 0 ? groups : [total]).map((row) => JSON.stringify(row))
  const page = {
    count: rows.length,
    items: () => rows,
    documents: () => rows,
    columns: () => columns,
  }
  const { head, rows: write } = begin(page)
  return {
    body: head + write(page),
    headers: {
      'Content-Type': type,
      'Content-Disposition': contentDisposition(c, `${name}-summary`, extension),
    },
  }
}
