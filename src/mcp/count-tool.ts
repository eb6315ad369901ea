import * as z from 'zod'
import { countGroups } from '../resources/count-groups.ts'
import { loadCollection } from '../resources/resources.ts'
import type { CountQuery } from '../store/read/count-by.ts'
import type { Store } from '../store/store.ts'
import { collectionInput, defineTool, requireVisible } from './tool.ts'
import { filterInput, optionInput, parseOptionalFilter } from './tool-inputs.ts'

const maxGroups = 100

/** Counts records, by a field or as a whole. */
export const countTool = defineTool({
  name: 'count',
  title: 'Count records',
  description:
    'Returns how many records pass a filter, and with `by` how many have each value of a field, most frequent first. `by` can be a field of a referenced record: bookings per event tag this year are one call with collection `bookings`, by `event.tags` and filter `date ge 2026-01-01 and date lt 2027-01-01`. A record whose field is a list counts once for each of its values. The result has `total`, `groups` of value and count, and `missing`, the records without a value.',
  input: z.strictObject({
    collection: collectionInput,
    by: optionInput(
      'The field to count by, as `describe` names it without quotation marks, or a field of a referenced record after the name of the reference.',
      'orgStatus',
      'event.tags',
    ),
    filter: filterInput,
  }),
  async run({ store }, { collection, by, filter: text }) {
    requireVisible(store, collection)
    const filter = parseOptionalFilter(text)
    const query = by === undefined ? undefined : { by, filter, filters: [], limit: maxGroups }
    const counts = query
      ? await countValues(store, collection, query)
      : { total: await countAll(store, collection, filter) }
    return { path: `/api/v1/${collection}`, data: JSON.stringify(counts) }
  },
})

async function countValues(store: Store, collection: string, query: CountQuery) {
  const { isCut, ...counts } = await countGroups(store, collection, query)
  return { ...counts, ...(isCut && { note: `Only the ${maxGroups} most frequent values.` }) }
}

async function countAll(store: Store, collection: string, filter: CountQuery['filter']) {
  const { list } = await loadCollection(collection)
  const options = { filter, orderBy: [], isCounted: true }
  const { total } = await list.page(store, { limit: 0, offset: 0, filters: [], options })
  return total
}
