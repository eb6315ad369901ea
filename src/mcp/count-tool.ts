import * as z from 'zod'
import type { Predicate } from '../model/query/predicate.ts'
import { loadCollection } from '../resources/resources.ts'
import { countValues } from '../resources/summary/count-values.ts'
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
    const { list } = await loadCollection(collection)
    const count = (condition: Predicate | undefined) =>
      countValues(store, list, { by, filter, condition, limit: maxGroups })
    const { isCut, total, ...values } = await count(attendance?.came)
    const notMarked = attendance?.notMarked && (await count(attendance.notMarked))
    const data = {
      ...(by !== undefined && values),
      total,
      ...(isCut && { note: `Only the ${maxGroups} most frequent values.` }),
      ...(attendance && { notMarked: notMarked?.total ?? 0 }),
    }
    return { path: `/api/v1/${collection}`, data: JSON.stringify(data) }
  },
})
