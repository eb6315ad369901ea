import * as z from 'zod'
import { tenYears } from '../model/summary/buckets.ts'
import { spellMeasures } from '../model/summary/measure-names.ts'
import {
  parseGroups,
  parseHaving,
  parseMeasures,
  parseSummaryOrder,
  plainMeasure,
} from '../model/summary/parse-summary.ts'
import { loadCollection } from '../resources/resources.ts'
import { summarise } from '../resources/summary/summarise.ts'
import { cameInput, findAttendance } from './attendance.ts'
import { collectionInput, defineTool, requireVisible } from './tool.ts'
import { filterInput, optionInput, parseOptionalFilter } from './tool-inputs.ts'

const maxGroups = 100

/** Groups records and measures each group and all of them. */
export const summariseTool = defineTool({
  name: 'summarise',
  title: 'Summarise records',
  description:
    'Groups records by up to two fields and measures each group, for example how many different people came by month and ward. Use it for people, sums, averages and shares; `count` for one number by one field. The result has `groups`, `total` over all records (groups do not add up to it if a person or a record is in several), `withoutGroup`, and `described`: tell the user what it says.',
  input: z.strictObject({
    collection: collectionInput,
    by: optionInput(
      'Up to two fields to group by, separated by a comma, also of a referenced record, or the answers of survey responses to a question, as in answers.question-3. Dates group by day(x), week(x), month(x), quarter(x), year(x), financialYear(x) or weekday(x) (1 for Monday), dates of birth by age(x), or age(x,y) on the day in y.',
      'month(date),member.Postcode.ward',
    ),
    measures: optionInput(
      `What to measure, separated by commas; count by default: ${spellMeasures()}, where x is a field and n a number, as in sum(amount) and peopleWithAtLeast(3).`,
      'count,people',
    ),
    filter: filterInput,
    came: cameInput,
    having: optionInput('Only groups that pass a condition on measures.', 'people ge 5'),
    orderBy: optionInput(
      'Up to three measures or fields of `by`, each with `asc` or `desc`.',
      'people desc',
    ),
    compare: z.literal('previousYear').optional().meta({
      description: 'Adds `previous`, the same with all dates of the filter a year earlier.',
    }),
    hideBelow: z.int().min(2).max(1000).optional().meta({
      description: 'Hides groups with fewer people or records, for figures to publish: 5 is usual.',
    }),
  }),
  async run({ store }, { collection, by, measures, filter, came, having, orderBy, ...rest }) {
    requireVisible(store, collection)
    const attendance = came && (await findAttendance(store, collection))
    const { list } = await loadCollection(collection)
    const { answer } = await summarise(store, list, {
      filters: [],
      filter: parseOptionalFilter(filter),
      condition: attendance?.came,
      words: [...(came ? ['the person came'] : []), ...(filter === undefined ? [] : [filter])],
      by: by === undefined ? [] : parseGroups(by),
      measures: measures === undefined ? [plainMeasure('count')] : parseMeasures(measures),
      having: having === undefined ? undefined : parseHaving(having),
      order: orderBy === undefined ? [] : parseSummaryOrder(orderBy),
      limit: maxGroups,
      bands: tenYears,
      isCompared: rest.compare !== undefined,
      hideBelow: rest.hideBelow,
    })
    return { path: `/api/v1/${collection}/$summary`, data: JSON.stringify(answer) }
  },
})
