import { expect } from 'vitest'
import { newOrganisation } from '../organisation.ts'

type Answer = { events: { eventId: string }[]; total: number }

/** An organisation with one event per document, identified by its key, and a function to filter them. */
export async function newOrganisationWithEvents(documents: Record<string, object>) {
  const organisation = await newOrganisation()
  await organisation.put(
    'events',
    Object.entries(documents).map(([id, document]) => ({
      id,
      document: { eventId: id, ...document },
    })),
  )
  const findIds = async (query: Record<string, string>) => {
    const { events, total } = await organisation.json<Answer>(
      `/events?${new URLSearchParams(query)}`,
    )
    expect(total).toBe(events.length)
    return events.map(({ eventId }) => eventId)
  }
  return { ...organisation, found: findIds }
}
