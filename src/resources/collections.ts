import type { Schema } from 'hono/types'
import type { Env } from '../auth/env.ts'
import type { Hono } from '../http/hono.ts'
import type { Collection } from '../model/collection.ts'
import type { RecordList } from './routes/list-route.ts'
import type { Resource } from './routes/resource.ts'

/** The structured collections by path segment, loaded on first use. */
export const collections: Readonly<
  Record<
    string,
    () => Promise<{
      routes: Hono<Env, Schema>
      collection: Collection
      list: RecordList
      resource: Resource
    }>
  >
> = {
  events: () => import('./events.ts'),
  bookings: () => import('./bookings.ts'),
  forms: () => import('./forms.ts'),
  'survey-responses': () => import('./survey-responses.ts'),
  'case-notes': () => import('./case-notes.ts'),
  funds: () => import('./funds.ts'),
  'grant-applications': () => import('./grant-applications.ts'),
  disbursements: () => import('./disbursements.ts'),
}

/** Loads all structured collections, in the order above. */
export async function loadCollections(): Promise<Collection[]> {
  const modules = await Promise.all(Object.values(collections).map((load) => load()))
  return modules.map(({ collection }) => collection)
}
