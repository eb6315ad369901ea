import type { Predicate } from '../../model/query/predicate.ts'
import type { RowBudget } from '../../store/query/query-reader.ts'
import { compareDate, findWhoCame } from '../../store/sign-up/attendance-rule.ts'
import { readSeries } from '../../store/sign-up/series.ts'
import type { Store } from '../../store/store.ts'
import type { Ends } from '../ui/value-kinds.ts'
import type { ReportQuery } from './report-query.ts'

/** Which records of a collection a report counts, and which it leaves out because nobody marked them. */
type Counted = { counted?: Predicate; notMarked?: Predicate | undefined }

/** Which records count: of bookings those of people who came, of events the dates. */
export async function findCounted(
  store: Store,
  { countable: { name }, date }: Pick<ReportQuery, 'countable' | 'date'>,
  { today, days, budget }: { today: string; days: Ends; budget: RowBudget | undefined },
): Promise<Counted> {
  if (name === 'attendances') {
    const { from, to } = date?.name === 'date' ? days : {}
    const within = [
      ...(from ? [compareDate('ge', from)] : []),
      ...(to ? [compareDate('le', to)] : []),
    ]
    const { came, notMarked } = await findWhoCame(store, { today, within, budget })
    return { counted: came, notMarked }
  }
  if (name !== 'events') return {}
  const series = await readSeries(store)
  return series.size === 0
    ? {}
    : { counted: { not: { field: { path: ['eventId'], isList: false }, values: series } } }
}
