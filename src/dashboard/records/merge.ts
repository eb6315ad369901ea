import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { type Reference, references } from '../../model/references.ts'
import { valueAt } from '../../model/value-at.ts'
import { ask, askJson, send } from '../api.ts'
import { type Described, described, type Values } from './described.ts'
import { patchOf } from './form-values.ts'
import { apiPathOf } from './paths.ts'
import type { OneRecord } from './record.ts'

const mostAtOnce = 250

/**
 * Makes one person of two: `kept` takes the values chosen of `other`, and its place wherever that was
 * named; then `other` is deleted. Each step may be done again, and the last is that deletion: where
 * one fails, both are still there, and to merge again does what is left.
 */
export async function merge(
  c: Context<DashboardEnv>,
  about: Described,
  kept: OneRecord,
  other: OneRecord,
  chosen: readonly string[],
): Promise<void> {
  const properties = about.properties.filter(({ name }) => chosen.includes(name))
  const set = properties.map(({ path }) => ({ path, value: valueAt(other.values, path) ?? null }))
  const unique = new Set(about.fields.filter(({ type }) => type === 'uniqueId').map(({ id }) => id))
  const freed = set.filter(({ path }) => unique.has(path.join('.')))
  // No two may have such a value, so it leaves the one before it comes to the other.
  const none = freed.map(({ path }) => ({ path, value: null }))
  const freedEtag = freed.length > 0 ? await patch(c, about, other, none, other.etag) : other.etag
  try {
    if (set.length > 0) await patch(c, about, kept, set, kept.etag)
  } catch (error) {
    if (freed.length > 0) await patch(c, about, other, freed, freedEtag)
    throw error
  }
  for (const reference of references.filter(({ to }) => to === about.name)) {
    await moveNames(c, reference, other.id, kept.id)
  }
  await ask(c, apiPathOf(about.name, other.id), {
    method: 'DELETE',
    headers: { 'If-Match': freedEtag },
  })
}

/** Changes a record and gives its next ETag. */
async function patch(
  c: Context<DashboardEnv>,
  about: Described,
  record: OneRecord,
  set: readonly { path: readonly string[]; value: unknown }[],
  etag: string,
): Promise<string> {
  const answer = await send(c, 'PATCH', apiPathOf(about.name, record.id), patchOf(set), {
    'If-Match': etag,
  })
  return answer.headers.get('ETag') ?? ''
}

/** Names another person in every record that names one by a reference; as they leave the list, the next are read. */
async function moveNames(
  c: Context<DashboardEnv>,
  { from, path }: Reference,
  one: string,
  another: string,
): Promise<void> {
  const { plural } = await described(c, from)
  const query = new URLSearchParams({ [path]: one, limit: String(mostAtOnce) })
  for (;;) {
    const body = await askJson<Record<string, Values[]>>(c, `/${from}?${query}`)
    const records = body[plural] ?? []
    if (records.length === 0) return
    const moved = records.map((record) => renamed(record, path.split('.'), one, another))
    await send(c, 'PATCH', `/${from}`, { [plural]: moved })
  }
}

function renamed(values: Values, path: readonly string[], one: string, another: string): Values {
  const [name = '', ...rest] = path
  const value = values[name]
  if (rest.length > 0) return { ...values, [name]: renamed(value as Values, rest, one, another) }
  const next = Array.isArray(value)
    ? [...new Set(value.map((id) => (id === one ? another : id)))]
    : another
  return { ...values, [name]: next }
}
