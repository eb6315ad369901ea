import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { app } from '../../src/app.ts'
import { publicPages } from '../../src/store/sign-up-tables.ts'
import { newOrganisation } from '../organisation.ts'

export const origin = 'https://data.test'

/** The settings of a site that asks for a name. */
const defaults = {
  signUpFields: [{ id: 'Full Name', required: true }],
  privacyNotice: 'https://charity.test/privacy',
}

/** Creates an organisation with public pages, and functions to visit them. */
export async function newSite(settings: object = {}, enabled = true) {
  const organisation = await newOrganisation()
  const { id } = organisation
  await organisation.schema('members', fields)
  await drizzle(env.DB)
    .insert(publicPages)
    .values({
      organisationId: id,
      enabled: Number(enabled),
      settings: JSON.stringify({ ...defaults, ...settings }),
    })
  /** Requests a page, each time from a new address, and waits for its background tasks. */
  const visit = async (path = '', init: RequestInit = {}, bindings: object = {}) => {
    const context = createExecutionContext()
    const response = await app.request(
      `${origin}/o/${id}${path}`,
      { headers: { 'CF-Connecting-IP': crypto.randomUUID() }, ...init },
      { ...env, ...bindings },
      context,
    )
    await waitOnExecutionContext(context)
    return response
  }
  return {
    ...organisation,
    visit,
    html: async (path?: string) => (await visit(path)).text(),
    /** Sends a public form. */
    send: (path: string, values: Record<string, string>, bindings?: object) =>
      visit(path, { method: 'POST', body: new URLSearchParams(values) }, bindings),
    /** Stores events, each with the properties of an event that can be booked. */
    putEvents: (...events: ({ eventId: string } & Record<string, unknown>)[]) =>
      organisation.put(
        'events',
        events.map((event) => ({ id: event.eventId, document: { ...openEvent, ...event } })),
      ),
  }
}

const fields = [
  { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
  { id: 'Born', name: 'Born', label: 'Date of birth', type: 'date', order: 1 },
  {
    id: 'demo.gender',
    name: 'Gender',
    label: 'Gender',
    type: 'select',
    order: 2,
    options: [
      { value: 'w', label: 'Woman' },
      { value: 'm', label: 'Man' },
    ],
  },
  { id: 'Postcode', name: 'Postcode', label: 'Postcode', type: 'postcode', order: 3 },
  { id: 'Mobile', name: 'Mobile', label: 'Mobile', type: 'phone', order: 4 },
]

/** An event of 2 hours on a winter afternoon that can be booked. */
export const openEvent = {
  name: 'Lantern Workshop',
  tags: ['Crafts'],
  start: '2096-12-15T14:00:00.000Z',
  end: '2096-12-15T16:00:00.000Z',
  bookable: true,
  bookingDetails: { bookable: true, capacityTotal: 20, free: true, description: 'Bring a friend.' },
  venue: { name: 'Larkwell Mill', address: 'Tannery Row', postcode: 'LS10 1LT' },
}
