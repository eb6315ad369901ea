import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { ApiError } from '../../model/api-error.ts'
import { standsInPath } from '../../model/properties.ts'
import { ask, askJson } from '../api.ts'
import { type Described, type Values, valuesOf } from './described.ts'
import { apiPathOf } from './paths.ts'

/** A record with its version, as If-Match takes it, and its times. */
export type OneRecord = {
  id: string
  values: Values
  etag: string
  created: string
  updated: string
}

/** The record of this id. Throws 404 where there is none. */
export async function recordOf(
  c: Context<DashboardEnv>,
  described: Described,
  id: string,
): Promise<OneRecord> {
  const { name, singular, plural, id: idName } = described
  if (id === '' || !standsInPath(id)) {
    throw new ApiError('NOT_FOUND', `There is no ${singular} with this ${idName}.`)
  }
  const query = new URLSearchParams({ [idName]: id, $show: 'times', limit: '1' })
  const [single, listed] = await Promise.all([
    ask(c, apiPathOf(name, id)),
    askJson<Record<string, Values[]>>(c, `/${name}?${query}`),
  ])
  const body = await single.json<Record<string, Values>>()
  const times = listed[plural]?.[0]
  return {
    id,
    values: valuesOf(described, body[singular] ?? {}),
    etag: single.headers.get('ETag') ?? '',
    created: String(times?.$created ?? ''),
    updated: String(times?.$updated ?? ''),
  }
}
