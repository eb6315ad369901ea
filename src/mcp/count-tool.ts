import * as z from 'zod'
import type { Predicate } from '../model/query/predicate.ts'
import { countGroups } from '../resources/group-records.ts'
import { loadCollection } from '../resources/resources.ts'
import type { GroupQuery } from '../store/read/groups.ts'
import type { Store } from '../store/store.ts'
import { cameDescription, cameInput, findAttendance } from './attendance.ts'
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
    came: cameInput.meta({
      description: `${cameDescription} The result then has \`notMarked\`, the past bookings that do not count because nobody marked them on a register: say how many.`,
    }),
  }),
  async run({ store }, { collection, by, filter: text, came }) {
    requireVisible(store, collection)
    const filter = parseOptionalFilter(text)
    const attendance = came && (await findAttendance(store, collection))
    const condition = attendance?.came
    const counts =
      by === undefined
        ? { total: await countAll(store, collection, filter, condition) }
        : await countValues(store, collection, {
            by,
            filter,
            condition,
            filters: [],
            limit: maxGroups,
          })
    const notMarked = attendance && {
      notMarked: attendance.notMarked
        ? await countAll(store, collection, filter, attendance.notMarked)
        : 0,
    }
    return { path: `/api/v1/${collection}`, data: JSON.stringify({ ...counts, ...notMarked }) }
  },
})

async function countValues(store: Store, collection: string, query: GroupQuery) {
  const { isCut, ...counts } = await countGroups(store, collection, query)
  return { ...counts, ...(isCut && { note: `Only the ${maxGroups} most frequent values.` }) }
}

async function countAll(
  store: Store,
  collection: string,
  filter: GroupQuery['filter'],
  condition?: Predicate,
) {
  if (condition) {
    const query = { by: 'orgStatus', filter, condition, filters: [], limit: 1 }
    return (await countGroups(store, collection, query)).total
  }
  const { list } = await loadCollection(collection)
  const options = { filter, orderBy: [], isCounted: true }
  const { total } = await list.page(store, { limit: 0, offset: 0, filters: [], options })
  return total
}
