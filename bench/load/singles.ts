import type { Kind } from '../../src/model/properties/schema.ts'
import { expectError, expectText } from './check-response.ts'
import { everything, formatSingle, listShapes, schema } from './expected-responses.ts'
import type { Organisation } from './organisations.ts'
import type { Random } from './random.ts'
import type { Situation } from './situation.ts'
import type { Step } from './step.ts'

const singles = Object.keys(listShapes).filter((name) => listShapes[name]?.singular)

const kinds: Kind[] = ['members', 'volunteers', 'partners']

/** Reads one record. */
export function readSingle(random: Random, organisation: Organisation): Step {
  const collection = random.pick(singles)
  const record = random.pick(organisation.records[collection] ?? [])
  const id = listShapes[collection]?.id ?? ''
  return {
    route: `GET /${collection}/:${id}`,
    path: `/${collection}/${record[id]}`,
    findError: expectText(200, () => formatSingle(organisation, collection, record)),
  }
}

/** Reads all data of a person. */
export function readPersonalData(random: Random, organisation: Organisation): Step {
  const kind = random.pick(kinds)
  const person = random.pick(organisation.records[kind] ?? [])
  const { id = '' } = listShapes[kind] ?? {}
  const check = expectText(200, () => everything(organisation, kind, person))
  return {
    route: `GET /${kind}/:${id}/$everything`,
    path: `/${kind}/${person[id]}/$everything`,
    isStreamed: true,
    findError: ({ text, ...response }) =>
      check({ ...response, text: text.replace(/^\{"at":"[^"]*",/, '{') }),
  }
}

/** Reads the organisation and permissions of the credential. */
export const readCaller = ({ id }: Organisation): Step => ({
  route: 'GET /me',
  path: '/me',
  findError: ({ status, text }) =>
    status === 200 && JSON.parse(text).me.organisation.id === id
      ? undefined
      : `status ${status}: ${text}`,
})

/** Reads the schema of a kind. */
export function readSchema(random: Random, organisation: Organisation): Step {
  const kind = random.pick(kinds)
  return {
    route: 'GET /schemas/:organisationId',
    path: `/schemas/${organisation.id}?kind=${kind}`,
    findError: expectText(200, () => schema(organisation, kind)),
  }
}

/** Reads a record of another organisation. */
export function readMissing(random: Random, { organisation, others }: Situation): Step {
  const collection = random.pick(singles)
  const { id = '', singular } = listShapes[collection] ?? {}
  const ownIds = new Set(organisation.records[collection]?.map((record) => record[id]))
  const theirs = others.flatMap(({ records }) => records[collection] ?? [])
  const foreign = theirs.filter((record) => !ownIds.has(record[id]))
  const path = foreign.length > 0 ? random.pick(foreign)[id] : 'unknown'
  const isForbidden = collection === 'members'
  const title = singular?.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return {
    route: `GET /${collection}/:${id}`,
    path: `/${collection}/${path}`,
    findError: isForbidden
      ? expectError(403, 'This member belongs to another organisation.')
      : expectError(404, `There is no ${title} with this ${id}.`),
  }
}
