import type { Predicate } from '../../model/query/predicate.ts'
import { findWhoCame } from '../../sign-up/who-came.ts'
import type { RowBudget } from '../../store/query/query-reader.ts'
import { readSeries } from '../../store/sign-up/series.ts'
import type { Store } from '../../store/store.ts'
import type { Ends } from '../ui/value-kinds.ts'
import type { Countable } from './countables.ts'

/** Which records of a collection a report counts, and which it leaves out because nobody marked them. */
type Counted = { counted?: Predicate; notMarked?: Predicate | undefined }

/** Which records count: of bookings those of people who came, of events the dates. */
export async function findCounted(
  store: Store,
  { name }: Countable,
  { today, days, budget }: { today: string; days: Ends; budget: RowBudget | undefined },
): Promise<Counted> {
  if (name === 'attendances') {
    const { came, notMarked } = await findWhoCame(store, { today, ...days, budget })
    return { counted: came, notMarked }
  }
  if (name !== 'events') return {}
  const series = await readSeries(store)
  return series.size === 0
    ? {}
    : { counted: { not: { field: { path: ['eventId'], isList: false }, values: series } } }
}
