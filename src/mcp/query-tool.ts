import * as z from 'zod'
import { parseNames, parseOrder } from '../model/query/parse-names.ts'
import { foreignToken, type Position } from '../model/query/query-options.ts'
import { loadCollection } from '../resources/resources.ts'
import { formatNextCursor, readAfter } from '../store/cursors.ts'
import type { Store } from '../store/store.ts'
import { flatten } from './flatten.ts'
import { relativeSize } from './result.ts'
import { collectionInput, defineTool, requireVisible } from './tool.ts'
import { filterInput, limitInput, optionInput, parseOptionalFilter } from './tool-inputs.ts'

const input = z.strictObject({
  collection: collectionInput,
  filter: filterInput,
  orderBy: optionInput(
    'Up to three fields, each with `asc` or `desc`, separated by commas. Records without a value come last. Without it, records are in order of arrival.',
    'start desc',
    '"Full Name",Joined desc',
  ),
  select: optionInput(
    'The fields to return, separated by commas; records always have their id. Name only the fields that the question needs. Without it, records have all their values.',
    'name,start,venue.postcode',
  ),
  expand: optionInput(
    'References to follow, separated by commas: bookings have `event`, `childEvent` and `member`. Their records appear as fields such as `$event.name`.',
    'event',
  ),
  limit: limitInput,
  cursor: z.string().max(8192).optional().meta({
    description:
      'The `next` of the previous result, for the following page. Send the other inputs unchanged with it.',
  }),
})

type Input = z.output<typeof input>

/** Lists records. Shortens a page that would exceed the maximum size of a result. */
export const queryTool = defineTool({
  name: 'query',
  title: 'Query records',
  description:
    'Lists records of a collection under a filter and in an order, with all fields or some, and with `total`, the number of records that pass. To count records use `count`; to find one by its id use `get`. Values that are missing or hidden are left out.',
  input,
  async run({ store }, query) {
    requireVisible(store, query.collection)
    const path = `/api/v1/${query.collection}`
    for (let limit = query.limit; ; ) {
      const { data, count } = await readPage(store, query, limit)
      const size = relativeSize(data)
      if (count <= 1 || size <= 1) {
        store.countReturned(query.collection, count)
        return { path, data, notes: limit < query.limit ? [shortened(limit)] : [] }
      }
      // The page is too large: reads a shorter one, because the cursor must follow its last record.
      limit = Math.max(Math.floor(count / size), 1)
    }
  },
})

const shortened = (limit: number) =>
  `The result has only ${limit} records, because more would exceed 64 KiB. Continue with \`next\` as the cursor, or select fewer fields.`

/** Reads a page as JSON text. */
async function readPage(store: Store, input: Input, limit: number) {
  const { collection, filter, orderBy, select, expand, cursor } = input
  const { list } = await loadCollection(collection)
  const order = orderBy === undefined ? [] : parseOrder(orderBy)
  const query = ['mcp', collection, filter, orderBy, select, expand]
  const scope = { store, query, refuse: () => foreignToken('cursor') }
  const page = await readAfter(scope, cursor, (after: Position | undefined) =>
    list.page(store, {
      limit,
      offset: 0,
      filters: [],
      $select: select === undefined ? undefined : parseNames('$select', select),
      $expand: expand === undefined ? undefined : parseNames('$expand', expand),
      options: { filter: parseOptionalFilter(filter), orderBy: order, after, isCounted: true },
    }),
  )
  // The names of a booking's member need `expand`: most questions do not.
  const columns = page.columns().filter(({ name }) => !name.startsWith('profile.'))
  const next = await formatNextCursor(scope, page)
  const data = JSON.stringify({
    records: page.documents().map((document) => flatten(columns, document)),
    ...(page.total !== undefined && { total: page.total }),
    ...(next !== undefined && { next }),
  })
  return { data, count: page.count }
}
