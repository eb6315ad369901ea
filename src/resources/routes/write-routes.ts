import type { Env } from '../../auth/env.ts'
import { lazyRoute } from '../../http/contract.ts'
import { Hono } from '../../http/hono.ts'
import type { Resource } from './resource.ts'

const loadWrites = () => import('./write-record.ts')
const loadUpsert = () => import('./replace-by-field.ts')
const loadDeletes = () => import('./delete-routes.ts')
const loadVersions = () => import('./versions.ts')
const loadMerge = () => import('./merge-people.ts')

/** The routes that write the records of a collection and list their previous versions. `POST /members` is separate, because the contract defines it. */
export function writeRoutes(resource: Resource) {
  const { id, name, kind } = resource
  const routes = new Hono<Env>()
    .patch(
      '/',
      lazyRoute(async () => (await loadWrites()).mergeRecords(resource)),
    )
    .put(
      '/',
      lazyRoute(async () => (await loadUpsert()).replaceByField(resource)),
    )
    .put(
      `/:${id}`,
      lazyRoute(async () => (await loadWrites()).replaceRecord(resource)),
    )
    .patch(
      `/:${id}`,
      lazyRoute(async () => (await loadWrites()).mergeRecord(resource)),
    )
    .get(
      `/:${id}/$versions`,
      lazyRoute(async () => (await loadVersions()).listVersions(resource)),
    )
    .post(
      `/:${id}/$restore`,
      lazyRoute(async () => (await loadVersions()).restoreRoute(resource)),
    )
  if (name !== 'members')
    routes.post(
      '/',
      lazyRoute(async () => (await loadWrites()).createRecord(resource)),
    )
  if (!kind)
    return routes.delete(
      `/:${id}`,
      lazyRoute(async () => (await loadDeletes()).deleteRoute(resource)),
    )
  const person = { ...resource, kind }
  return routes
    .delete(
      `/:${id}`,
      lazyRoute(async () => (await loadDeletes()).deletePerson(person)),
    )
    .post(
      `/:${id}/$merge`,
      lazyRoute(async () => (await loadMerge()).mergeRoute(person)),
    )
}
