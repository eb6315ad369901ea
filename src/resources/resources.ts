import type { Hono } from 'hono'
import type { Schema } from 'hono/types'
import type { Env } from '../auth/env.ts'
import type { Collection } from '../model/collection.ts'
import type { Kind } from '../model/schema.ts'

/** A segment of the path: its routes, and whose records they are of, if any's. */
export type Resource = { routes: Hono<Env, Schema>; collection?: Collection; kind?: Kind }

/** Every resource by its segment of the path (contract 4.2); each is loaded when it is first asked for. */
export const resources: Readonly<Record<string, () => Promise<Resource>>> = {
  members: () => import('./members.ts'),
  volunteers: () => import('./volunteers.ts'),
  partners: () => import('./partners.ts'),
  events: () => import('./events.ts'),
  bookings: () => import('./bookings.ts'),
  forms: () => import('./forms.ts'),
  'survey-responses': () => import('./survey-responses.ts'),
  'case-notes': () => import('./case-notes.ts'),
  funds: () => import('./funds.ts'),
  'grant-applications': () => import('./grant-applications.ts'),
  disbursements: () => import('./disbursements.ts'),
  schemas: () => import('./schemas.ts'),
  changes: () => import('./changes.ts'),
}

/** The structured collections, in the order of the registry. */
export async function structuredCollections(): Promise<Collection[]> {
  const loaded = await Promise.all(Object.values(resources).map((load) => load()))
  return loaded.flatMap(({ collection }) => collection ?? [])
}
