import { isErrorOf } from '../../model/api-error.ts'
import type { Scalar } from '../../model/query/predicate.ts'
import { tenYears } from '../../model/summary/buckets.ts'
import { plainGroup } from '../../model/summary/parse-summary.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import { findWhoCame } from '../../store/sign-up/attendance-rule.ts'
import { readSummary } from '../../store/summary/read-summary.ts'
import { listRegisters, nameRegisters, ofRegisters, type Register } from '../reports/registers.ts'
import type { Measured } from '../reports/report-groups.ts'
import { dashboardPath } from '../ui/paths.ts'
import { type Check, type Inspected, maxListed } from './check.ts'

/** The maximum number of registers that the page names. */
const maxRegisters = 5

/** Finds the past bookings that nobody has marked, by register, the latest first. A user needs `take-registers` to open it. */
export const findNotMarked: Check['find'] = async (inspected) => {
  const { c, collection } = inspected
  const { name, label } = collection
  if (name !== 'bookings') return []
  try {
    const notMarked = await readNotMarked(inspected, ofRegisters)
    if (!notMarked) return []
    const registers = listRegisters(notMarked)
    const [latest, earlier] = [registers.slice(0, maxRegisters), registers.slice(maxRegisters)]
    const named = await nameRegisters(c, latest)
    return [
      ...named.map((register, index) => ({
        ...register,
        listIds: () => listBookings(inspected, latest.slice(index, index + 1)),
      })),
      {
        label: formatCount(earlier.length, 'earlier date'),
        count: earlier.reduce((sum, { count }) => sum + count, 0),
        href: dashboardPath(c, '/reports/not-marked'),
        listIds: () => listBookings(inspected, earlier),
      },
    ]
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return [{ label, count: undefined, href: undefined }]
    throw error
  }
}

/** The ids of the bookings on some registers that are not marked. */
async function listBookings(
  inspected: Inspected,
  registers: readonly Register[],
): Promise<string[]> {
  const by = [...ofRegisters.by, plainGroup('bookingId')]
  const notMarked = await readNotMarked(inspected, { by, measures: [] })
  const wanted = new Set<Scalar | null>(registers.map(({ eventId }) => eventId))
  return (notMarked?.groups ?? [])
    .filter(({ by: [date, event] }) => wanted.has(date ?? event ?? null))
    .map(({ by: [, , id] }) => String(id))
    .slice(0, maxListed)
}

/** Groups the bookings that are not marked. Throws 400 for too many. */
async function readNotMarked({ c, collection, today }: Inspected, measured: Measured) {
  const { store } = c.var
  const budget = openBudget(store, 'There are too many bookings.')
  const { notMarked } = await findWhoCame(store, { today, within: [], budget })
  if (!notMarked) return undefined
  return readSummary<never>(
    store,
    collection.name,
    {
      filters: [],
      condition: notMarked,
      ...measured,
      groupsMissing: true,
      ages: { today, bands: tenYears },
      protectsPeople: false,
      budget,
    },
    collection.list.types,
  )
}
