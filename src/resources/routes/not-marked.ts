import * as z from 'zod'
import { requireCollection } from '../../access/credential.ts'
import type { ListPage } from '../../formats/list-page.ts'
import { addition } from '../../http/contract.ts'
import { booleanOption } from '../../http/query.ts'
import { unknownName } from '../../model/query/resolve.ts'
import { londonDay } from '../../model/timestamp.ts'
import { countNotMarked, decisiveProperties } from '../../sign-up/who-came.ts'
import type { Store } from '../../store/store.ts'
import { buildStoredBooking } from './booking-types.ts'
import type { ListQuery } from './list-source.ts'

export const NotMarked = z.int().meta({
  id: 'NotMarked',
  description:
    'The number of past bookings of the event that nobody marked, so that they do not count as attendances.',
  ...addition,
  examples: [3],
})

/** The number of bookings that are not marked, which events show on request beside `attendees`. */
const notMarked = {
  options: { $notMarked: booleanOption('Whether to add `$notMarked` to each event.') },
  properties: { $notMarked: NotMarked.optional() },
  /** Adds the number to a page of events. Throws like `requireAttendance`. */
  async addTo(store: Store, page: ListPage, query: ListQuery): Promise<ListPage> {
    if (!query.$notMarked) return page
    requireAttendance(store, '$notMarked')
    const documents = page.documents()
    const ids = documents.map((text) => String(JSON.parse(text).eventId))
    const counts = await countNotMarked(store, ids, londonDay(Date.now()))
    const extend = (texts: readonly string[]) =>
      texts.map(
        (text, index) => `${text.slice(0, -1)},"$notMarked":${counts.get(ids[index] ?? '')}}`,
      )
    return {
      ...page,
      items: () => extend(page.items()),
      documents: () => extend(documents),
      columns: () => [...page.columns(), { path: ['$notMarked'], name: '$notMarked' }],
    }
  },
}

/** What the records of a list show on request, by collection. */
export const shownOnRequest: Readonly<Record<string, typeof notMarked | undefined>> = {
  events: notMarked,
}

/** Throws 403 for a caller who may not see bookings, and 400 if the policy hides what decides who came. */
export function requireAttendance({ policy }: Store, parameter: string): void {
  requireCollection(policy, 'bookings')
  const visible = policy.visibleProperties('bookings', buildStoredBooking())
  const hidden = decisiveProperties.find((name) => !visible.has(name))
  if (hidden !== undefined) throw unknownName(parameter, hidden, [])
}
