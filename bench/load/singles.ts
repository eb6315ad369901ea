import type { Kind } from '../../src/model/properties/schema.ts'
import { is, isError } from './judge.ts'
import type { Organisation } from './organisations.ts'
import type { Question, Situation } from './question.ts'
import type { Seeded } from './seeded.ts'
import { everything, schema, shown, single } from './served.ts'

const singles = Object.keys(shown).filter((name) => shown[name]?.singular)

const kinds: Kind[] = ['members', 'volunteers', 'partners']

/** A record alone. */
export function one(random: Seeded, organisation: Organisation): Question {
  const collection = random.pick(singles)
  const record = random.pick(organisation.records[collection] ?? [])
  const id = shown[collection]?.id ?? ''
  return {
    route: `GET /${collection}/:${id}`,
    path: `/${collection}/${record[id]}`,
    fault: is(200, () => single(organisation, collection, record)),
  }
}

/** All data of a person. */
export function everythingOf(random: Seeded, organisation: Organisation): Question {
  const kind = random.pick(kinds)
  const person = random.pick(organisation.records[kind] ?? [])
  const { id = '' } = shown[kind] ?? {}
  const judge = is(200, () => everything(organisation, kind, person))
  return {
    route: `GET /${kind}/:${id}/$everything`,
    path: `/${kind}/${person[id]}/$everything`,
    isStreamed: true,
    fault: ({ text, ...answer }) =>
      judge({ ...answer, text: text.replace(/^\{"at":"[^"]*",/, '{') }),
  }
}

/** The schema of a kind. */
export function schemaOf(random: Seeded, organisation: Organisation): Question {
  const kind = random.pick(kinds)
  return {
    route: 'GET /schemas/:organisationId',
    path: `/schemas/${organisation.id}?kind=${kind}`,
    fault: is(200, () => schema(organisation, kind)),
  }
}

/** A record that only another organisation has. */
export function absent(random: Seeded, { organisation, others }: Situation): Question {
  const collection = random.pick(singles)
  const { id = '', singular } = shown[collection] ?? {}
  const own = new Set(organisation.records[collection]?.map((record) => record[id]))
  const theirs = others.flatMap(({ records }) => records[collection] ?? [])
  const foreign = theirs.filter((record) => !own.has(record[id]))
  const path = foreign.length > 0 ? random.pick(foreign)[id] : 'nowhere'
  const isForbidden = collection === 'members'
  return {
    route: `GET /${collection}/:${id}`,
    path: `/${collection}/${path}`,
    fault: isForbidden
      ? isError(403, 'This member belongs to another organisation.')
      : isError(404, `There is no ${singular} with this ${id}.`),
  }
}
