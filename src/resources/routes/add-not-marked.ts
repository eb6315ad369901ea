import { requireCollection } from '../../access/credential.ts'
import { decisiveProperties } from '../../access/query-fields.ts'
import type { ListPage } from '../../formats/list-page.ts'
import { unknownName } from '../../model/query/resolve.ts'
import { londonDay } from '../../model/timestamp.ts'
import { countNotMarked } from '../../sign-up/who-came.ts'
import type { Store } from '../../store/store.ts'
import { storedBookingRecord } from './booking-types.ts'

/** Adds the number of bookings that are not marked to a page of events. Throws like `requireAttendance`. */
export async function addNotMarked(store: Store, page: ListPage): Promise<ListPage> {
  requireAttendance(store, '$notMarked')
  const documents = page.documents()
  const ids = documents.map((text) => String(JSON.parse(text).eventId))
  const counts = await countNotMarked(store, ids, londonDay(Date.now()))
  const extend = (texts: readonly string[]) =>
    texts.map((text, index) => `${text.slice(0, -1)},"$notMarked":${counts.get(ids[index] ?? '')}}`)
  return {
    ...page,
    items: () => extend(page.items()),
    documents: () => extend(documents),
    columns: () => [...page.columns(), { path: ['$notMarked'], name: '$notMarked' }],
  }
}

/** Whether the policy shows who came to which events. */
export function showsAttendance({ policy }: Pick<Store, 'policy'>): boolean {
  if (!policy.allowsCollection('bookings') || !policy.allowsCollection('events')) return false
  const visible = policy.visibleProperties('bookings', storedBookingRecord)
  return [...decisiveProperties, 'memberId'].every((name) => visible.has(name))
}

/** Throws 403 for a caller who may not see bookings, and 400 if the policy hides what decides who came. */
export function requireAttendance({ policy }: Store, parameter: string): void {
  requireCollection(policy, 'bookings')
  const visible = policy.visibleProperties('bookings', storedBookingRecord)
  const hidden = decisiveProperties.find((name) => !visible.has(name))
  if (hidden !== undefined) throw unknownName(parameter, hidden, [])
}
