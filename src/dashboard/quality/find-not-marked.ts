import { isErrorOf } from '../../model/api-error.ts'
import { tenYears } from '../../model/summary/buckets.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { findWhoCame } from '../../sign-up/who-came.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import { readSummary } from '../../store/summary/read-summary.ts'
import { listRegisters, nameRegisters, ofRegisters, type Register } from '../reports/registers.ts'
import { dashboardPath } from '../ui/paths.ts'
import type { Check, Inspected } from './check.ts'

/** The maximum number of registers that the page names. */
const maxRegisters = 5

/** Finds the past bookings that nobody has marked, by register, the latest first. A user needs `take-registers` to open it. */
export const findNotMarked: Check['find'] = async (inspected) => {
  const { c, collection } = inspected
  const { name, label } = collection
  if (name !== 'bookings') return []
  try {
    const registers = await readNotMarked(inspected)
    const earlier = registers.slice(maxRegisters)
    return [
      ...(await nameRegisters(c, registers.slice(0, maxRegisters))),
      {
        label: formatCount(earlier.length, 'earlier date'),
        count: earlier.reduce((sum, { count }) => sum + count, 0),
        href: dashboardPath(c, '/reports/not-marked'),
      },
    ]
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return [{ label, count: undefined, href: undefined }]
    throw error
  }
}

/** Reads the registers with bookings that are not marked. Throws 400 for too many. */
async function readNotMarked({ c, collection, today }: Inspected): Promise<Register[]> {
  const { store } = c.var
  const budget = openBudget(store, 'There are too many bookings.')
  const { notMarked } = await findWhoCame(store, { today, budget })
  if (!notMarked) return []
  const summary = await readSummary(
    store,
    collection.name,
    {
      filters: [],
      condition: notMarked,
      ...ofRegisters,
      groupsMissing: true,
      ages: { today, bands: tenYears },
      protectsPeople: false,
      budget,
    },
    collection.list.types,
  )
  return listRegisters(summary)
}
