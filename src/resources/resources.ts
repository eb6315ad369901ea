import type { Schema } from 'hono/types'
import type { Env } from '../auth/env.ts'
import type { Hono } from '../http/hono.ts'
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

/** Every resource by path segment, loaded on first use. */
export const resources: Readonly<Record<string, () => Promise<ResourceModule>>> = {
  members: () => import('./members.ts'),
  volunteers: () => import('./volunteers.ts'),
  partners: () => import('./partners.ts'),
  ...collections,
  schemas: () => import('./schemas.ts'),
  changes: () => import('./changes.ts'),
  me: () => import('./me.ts'),
  webhooks: () => import('./webhooks.ts'),
}

/** Loads the list and the resource of a collection; undefined for any other name. */
export async function findCollection(name: string) {
  const module = Object.hasOwn(resources, name) ? await resources[name]?.() : undefined
  const { list, resource } = module ?? {}
  return list && resource && { list, resource }
}

/** Loads the list and the resource of a known collection. */
export async function loadCollection(name: string) {
  const loaded = await findCollection(name)
  if (!loaded) throw new Error(`${name} is no collection.`)
  return loaded
}
