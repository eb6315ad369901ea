import type { newOrganisation } from '../organisation.ts'
import { rows } from '../store/whole-index.ts'

/** A text longer than an index term, so that the document is compared too. */
export const notes = 'x'.repeat(300)

/** The time of a minute on the day of the test events. */
export const minuteToTime = (minute: number) =>
  new Date(Date.UTC(2025, 2, 1, 0, minute)).toISOString()

/** Creates events e0, e1, … a minute apart, then changes those in `changed` in that order. */
export async function createEvents(
  organisation: Awaited<ReturnType<typeof newOrganisation>>,
  count: number,
  changed: number[] = [],
) {
  const { id, put } = organisation
  const event = (index: number, name: string) => ({
    id: `e${index}`,
    document: {
      eventId: `e${index}`,
      name,
      bookable: index % 2 === 0,
      colour: index < 15_000 ? 'red' : 'blue',
      notes,
    },
  })
  const events = Array.from({ length: count }, (_, index) => event(index, 'new'))
  // D1 takes 2 MB as one parameter.
  for (let from = 0; from < count; from += 4000)
    await put('events', events.slice(from, from + 4000))
  await put(
    'events',
    changed.map((index) => event(index, 'changed')),
  )
  // Backdated: `changed` follows the versions and `created` the ordinals.
  await rows(
    `UPDATE records SET
      created = strftime('%Y-%m-%dT%H:%M:%fZ', '2025-03-01', (ordinal - 1) || ' minutes'),
      changed = strftime('%Y-%m-%dT%H:%M:%fZ', '2025-03-01', (version - 1) || ' minutes')
    WHERE organisation_id = ?`,
    id,
  )
}
