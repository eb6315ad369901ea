import type { Hono } from 'hono'
import type { Schema } from 'hono/types'
import type { Env } from '../auth/env.ts'
import type { Collection } from '../model/collection.ts'
import type { Kind } from '../model/schema.ts'
import { collections } from './collections.ts'

/** A segment of the path: its routes, and whose records they are of, if any's. */
export type ResourceModule = { routes: Hono<Env, Schema>; collection?: Collection; kind?: Kind }

/** Every resource by its segment of the path (contract 4.2); each is loaded when it is first asked for. */
export const resources: Readonly<Record<string, () => Promise<ResourceModule>>> = {
  members: () => import('./members.ts'),
  volunteers: () => import('./volunteers.ts'),
  partners: () => import('./partners.ts'),
  ...collections,
  schemas: () => import('./schemas.ts'),
  changes: () => import('./changes.ts'),
}
