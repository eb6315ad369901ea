import type { Hono } from 'hono'
import type { Schema } from 'hono/types'
import type { Env } from '../auth/env.ts'
import type { Collection } from '../model/collection.ts'
import type { Kind } from '../model/properties/schema.ts'
import { collections } from './collections.ts'
import type { RecordList } from './routes/list-route.ts'
import type { Resource } from './routes/resource.ts'

/** The routes of a path segment. Those of records also have their list and resource. */
type ResourceModule = {
  routes: Hono<Env, Schema>
  collection?: Collection
  kind?: Kind
  list?: RecordList
  resource?: Resource
}

/** Every resource by path segment (contract 4.2), loaded on first use. */
export const resources: Readonly<Record<string, () => Promise<ResourceModule>>> = {
  members: () => import('./members.ts'),
  volunteers: () => import('./volunteers.ts'),
  partners: () => import('./partners.ts'),
  ...collections,
  schemas: () => import('./schemas.ts'),
  changes: () => import('./changes.ts'),
}
