import type { Predicate, Scalar } from '../../model/query/predicate.ts'
import type { RowBudget } from '../query/query-reader.ts'
import type { Found, Known, Unchanged } from '../state.ts'
import type { Store } from '../store.ts'
import { madeHereField, readRegisters } from './who-came.ts'

/*
 * Decides whether the person of a booking came. A mark on the event's register says so. Without a mark, it depends:
 * - A booking *made here*, on a public page or the dashboard, is not marked: nobody knows.
 * - If somebody took the register of its event, the booking is not marked either: it was forgotten.
 * - Any other past booking came from another system, and its `attending` says whether the person came.
 * The rules are predicates, so that the index can count bookings by them, and `passes` can apply them to one booking.
 */

/** The predicates of the bookings with somebody who came, and of the bookings not marked; undefined if there can be none. */
export type WhoCame = { came: Predicate; notMarked: Predicate | undefined }

export const hasOne = (name: string, values: Iterable<Scalar>): Predicate => ({
  field: { path: [name], isList: false },
  values: new Set(values),
})

export const compareDate = (operator: 'ge' | 'le', value: string): Predicate => ({
  field: { path: ['date'], isList: false },
  operator,
  value,
})

/** The conditions of a past booking with a place and without a mark. The date is negated because the index has fewer days to come than past ones. */
export const unmarked = (today: string): Predicate[] => [
  hasOne('attending', [true]),
  { not: hasOne('orgStatus', ['attended', 'absent']) },
  { not: compareDate('ge', today) },
]

const madeHere = hasOne(madeHereField, [true])

/** The predicates, given the ids of the events with a register that somebody took. */
export function whoCame(today: string, markedEvents: ReadonlySet<string>) {
  const isOfMarkedEvent = ['eventId', 'childEventId'].map((name) => hasOne(name, markedEvents))
  const needsMark: Predicate = {
    or: markedEvents.size > 0 ? [madeHere, ...isOfMarkedEvent] : [madeHere],
  }
  const predicates: Record<keyof WhoCame, Predicate> = {
    came: {
      or: [hasOne('orgStatus', ['attended']), { and: [...unmarked(today), { not: needsMark }] }],
    },
    notMarked: { and: [...unmarked(today), needsMark] },
  }
  return predicates
}

type WhoCameOptions<U extends Unchanged> = {
  /** A day in UK time. */
  today: string
  /** Conditions that all bookings to count pass; without any, the predicates are those of all bookings. */
  within: readonly Predicate[]
  budget?: RowBudget | undefined
  known?: Known<U> | undefined
}

/** The predicates for a count of bookings, with the state before they were read. Throws 400 for too many events. */
export async function findWhoCame<U extends Unchanged = never>(
  store: Store,
  { today, within, budget, known }: WhoCameOptions<U>,
): Promise<Found<WhoCame> | U> {
  const dependsOnRegister: Predicate = {
    and: [...within, ...unmarked(today), { not: madeHere }],
  }
  const registers = await readRegisters(store, dependsOnRegister, { budget, known })
  if (registers.unchanged) return registers
  const { events, hasMadeHere, state } = registers
  const { came, notMarked } = whoCame(today, events)
  return { came, notMarked: hasMadeHere || events.size > 0 ? notMarked : undefined, state }
}
