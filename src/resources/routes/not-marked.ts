import type { ListPage } from '../../formats/list-page.ts'
import { booleanOption } from '../../http/parameters.ts'
import type { Z } from '../../model/record-properties.ts'
import type { Store } from '../../store/store.ts'
import type { ListQuery } from './list-source.ts'

export const notMarkedType = (z: Z) =>
  z.int().meta({
    id: 'NotMarked',
    description:
      'The number of past bookings of the event that nobody marked, so that they do not count as attendances.',
    'x-addition': true,
    examples: [3],
  })

/** The number of bookings that are not marked, which events show on request beside `attendees`. */
const notMarked = {
  options: { $notMarked: booleanOption('Whether to add `$notMarked` to each event.') },
  buildProperties: (z: Z) => ({ $notMarked: notMarkedType(z).optional() }),
  async addTo(store: Store, page: ListPage, query: ListQuery): Promise<ListPage> {
    if (!query.$notMarked) return page
    // Other requests do not need the code of registers.
    const { addNotMarked } = await import('./add-not-marked.ts')
    return addNotMarked(store, page)
  },
}

/** What the records of a list show on request, by collection. */
export const shownOnRequest: Readonly<Record<string, typeof notMarked | undefined>> = {
  events: notMarked,
}
