import type { Context } from 'hono'
import { ApiError } from '../../model/api-error.ts'
import { isPathSegment } from '../../model/properties/types.ts'
import { callApi, getJson } from '../session/api.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { apiRecordPath } from '../ui/paths.ts'
import { type CollectionInfo, toValues, type Values } from './collection-info.ts'

/** A record with its ETag and times. */
export type LoadedRecord = {
  id: string
  values: Values
  etag: string
  created: string
  updated: string
}

/** Loads the record with this id, or throws 404. */
export async function loadRecord(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  id: string,
): Promise<LoadedRecord> {
  const { name, singular, plural, id: idName } = collection
  if (id === '' || !isPathSegment(id)) {
    throw new ApiError('NOT_FOUND', `There is no ${singular} with this ${idName}.`)
  }
  const query = new URLSearchParams({ [idName]: id, $include: 'times', limit: '1' })
  const [single, list] = await Promise.all([
    callApi(c, apiRecordPath(name, id)),
    getJson<Record<string, Values[]>>(c, `/${name}?${query}`),
  ])
  const body = await single.json<Record<string, Values>>()
  const times = list[plural]?.[0]
  return {
    id,
    values: toValues(collection, body[singular] ?? {}),
    etag: single.headers.get('ETag') ?? '',
    created: String(times?.$created ?? ''),
    updated: String(times?.$updated ?? ''),
  }
}
