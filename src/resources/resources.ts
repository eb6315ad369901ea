import type { Hono } from 'hono'
import type { Schema } from 'hono/types'
import type { Env } from '../auth/env.ts'
import type { Collection } from '../model/collection.ts'
import type { Kind } from '../model/properties/schema.ts'
import { collections } from './collections.ts'
import type { RecordList } from './routes/list-route.ts'
import type { Resource } from './routes/resource.ts'

/** The module of a path segment. Modules of collections also export a list and a resource. */
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
  me: () => import('./me.ts'),
}
