import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { namedBy, type Reference, references } from '../../model/references.ts'
import { askJson } from '../api.ts'
import { type Described, described, titleOf, type Values, valuesOf } from './described.ts'
import { apiPathOf } from './paths.ts'

/** Records of a collection that name another by a property: how many, and the first of them. */
export type Naming = { reference: Reference; described: Described; total: number; first: Values[] }

/** How many they are, in words. */
export const countOf = ({ total, described }: Naming) =>
  `${total.toLocaleString('en-GB')} of the ${described.label.toLowerCase()}`

/** A record that another names. */
export type Named = { path: string; to: string; id: string; title: string }

/** The records that name one, by each way they can; none of those that do not. */
export async function namingOf(
  c: Context<DashboardEnv>,
  collection: string,
  id: string,
  limit: number,
): Promise<Naming[]> {
  const ways = references.filter(({ to }) => to === collection)
  const found = await Promise.all(
    ways.map(async (reference): Promise<Naming> => {
      const about = await described(c, reference.from)
      const query = new URLSearchParams({ [reference.path]: id, limit: String(limit) })
      const body = await askJson<Record<string, unknown>>(c, `/${reference.from}?${query}`)
      const first = (body[about.plural] as Values[]).map((record) => valuesOf(about, record))
      return { reference, described: about, total: Number(body.total), first }
    }),
  )
  return found.filter(({ total }) => total > 0)
}

const mostTold = 20

/** What a record names, with what each is called; of one that is not there, its id. */
export async function namedOf(
  c: Context<DashboardEnv>,
  { name }: Described,
  values: Values,
): Promise<Named[]> {
  const named = references
    .filter(({ from }) => from === name)
    .flatMap((reference) =>
      namedBy(reference, values).map(({ path, id }) => ({ path, id, to: reference.to })),
    )
    .filter(({ id }) => id !== '')
    .slice(0, mostTold)
  const told = await Promise.all(
    [...Map.groupBy(named, ({ to }) => to)].map(async ([to, all]) => {
      const about = await described(c, to)
      return Promise.all(
        all.map(async (one) => ({ ...one, title: await titleIn(c, about, one.id) })),
      )
    }),
  )
  return told.flat()
}

async function titleIn(c: Context<DashboardEnv>, about: Described, id: string): Promise<string> {
  const path = apiPathOf(about.name, id)
  const body = await askJson<Record<string, Values>>(c, path).catch(() => undefined)
  const record = body?.[about.singular]
  return record ? titleOf(about, valuesOf(about, record)) : id
}
