import type { Seeded } from '../cli/demo/seeded.ts'
import { newApiKey } from '../src/auth/api-key.ts'
import type { Kind } from '../src/store/store.ts'
import type { Answer } from './connection.ts'
import type { Credential } from './credentials.ts'
import type { NewMember, NewMembers } from './new-members.ts'
import type { Organisation, Properties } from './organisations.ts'
import { item, list, schema, shown, single } from './served.ts'

/** A request, and what is wrong with an answer to it that was not refused for its credentials. */
export type Question = {
  /** The method and the route, with the names of its parameters. */
  route: string
  path: string
  body?: string
  headers?: Record<string, string>
  fault: (answer: Answer) => string | undefined
  /** Who must ask, if not whoever is at it. */
  by?: Credential
  /** Whether no credentials are needed. */
  isOpen?: boolean
  /** To be told when there is an answer. */
  answered?: () => void
}

/** Who asks, of which organisation, what is known of its new members, and which others there are. */
export type Situation = {
  credential: Credential
  organisation: Organisation
  newMembers: NewMembers
  others: readonly Organisation[]
}

const kinds: Kind[] = ['members', 'volunteers', 'partners']

/** The fields that lists are filtered by: of the first ones the named filter is another name. */
const filtered: Record<string, string[]> = {
  members: ['demographics.gender', 'College', 'Joined', 'Contact Consent'],
  volunteers: ['Role', 'Started', 'DBS Checked'],
  partners: ['Organisation Type', 'Active'],
  events: ['name', 'parentEventId', 'bookable'],
  bookings: ['eventId', 'memberId', 'userStatus', 'date', 'attending', 'duration'],
  forms: ['type', 'formFor'],
  'survey-responses': ['surveyId', 'creator', 'isPrivate'],
  'case-notes': ['caseId', 'creator', 'isPinned'],
  funds: ['recipientType', 'isOpenCall'],
  'grant-applications': ['status', 'fundId', 'identifier', 'granteeId'],
  disbursements: ['status', 'fundId', 'grantId', 'amount'],
}

const named: Record<string, string> = {
  'survey-responses surveyId': 'SurveyId',
  'case-notes creator': 'Creator',
  'case-notes isPinned': 'Pinned',
}

/** How often each kind of question is asked. */
const weights = {
  list: 30,
  'filtered list': 25,
  single: 20,
  'list of members': 8,
  schema: 5,
  'new member': 5,
  'created member': 5,
  'member again': 1,
  'number of another': 1,
  absent: 3,
  refused: 2,
  document: 1,
}

/** The next request; `document` is the OpenAPI document. */
export function question(random: Seeded, situation: Situation, document: string): Question {
  const { organisation, newMembers } = situation
  const asks: Record<keyof typeof weights, () => Question> = {
    list: () => page(random, organisation),
    'filtered list': () => filteredPage(random, situation),
    single: () => one(random, organisation),
    'list of members': () => pageOfMembers(random, newMembers),
    schema: () => schemaOf(random, organisation),
    'new member': () => creation(newMembers.next(situation.credential)),
    'created member': () => createdMember(random, newMembers),
    'member again': () => creation(random.pick(newMembers.wanted)),
    'number of another': () => numberOfAnother(random, organisation),
    absent: () => absent(random, situation),
    refused: () => refused(random, situation),
    document: () => ({
      route: 'GET /openapi.json',
      path: '/openapi.json',
      fault: is(200, document),
      isOpen: true,
    }),
  }
  const name = random.weighted(weights)
  const needsMembers = name === 'created member' || name === 'member again'
  return asks[needsMembers && newMembers.created.length === 0 ? 'new member' : name]()
}

function page(random: Seeded, organisation: Organisation): Question {
  const collection = random.pick(Object.keys(shown).filter((name) => name !== 'members'))
  const records = organisation.records[collection] ?? []
  return pageOf(random, organisation, collection, records, '')
}

/** A page of the records that one or two fields tell from the rest, by values that some organisation has. */
function filteredPage(random: Seeded, { organisation, others }: Situation): Question {
  const collection = random.pick(Object.keys(shown))
  const model = random.pick(random.pick([organisation, ...others]).records[collection] ?? [])
  const fields = random
    .some(filtered[collection] ?? [], random.integer(1, 2))
    .filter((field) => model[field] !== undefined && model[field] !== null)
  const records = organisation.records[collection] ?? []
  const matching = records.filter((record) => fields.every((name) => record[name] === model[name]))
  // Those who are created meanwhile have none of these fields.
  if (fields.length === 0) return schemaOf(random, organisation)
  const query = fields.map((field) => {
    const name = named[`${collection} ${field}`] ?? field
    return `${encodeURIComponent(name)}=${encodeURIComponent(String(model[field]))}`
  })
  return pageOf(random, organisation, collection, matching, query.join('&'))
}

function pageOf(
  random: Seeded,
  organisation: Organisation,
  collection: string,
  records: readonly Properties[],
  filters: string,
): Question {
  const { offset, limit, query } = window(random, records.length)
  const items = records.map((record) => textOf(organisation, collection, record))
  return {
    route: `GET /${collection}`,
    path: `/${collection}?${[filters, query].filter(Boolean).join('&')}`,
    fault: is(200, () => list(organisation, collection, items, { offset, limit })),
  }
}

/** A page of all members: those created meanwhile are on it. */
function pageOfMembers(random: Seeded, newMembers: NewMembers): Question {
  const { least, most } = newMembers.counts
  const { offset, limit, query } = window(random, most)
  return {
    route: 'GET /members',
    path: `/members?${query}`,
    fault: ({ status, text }) =>
      status === 200 ? newMembers.faultOfPage(text, { offset, limit }, least) : `status ${status}`,
  }
}

function one(random: Seeded, organisation: Organisation): Question {
  const collection = random.pick(singles)
  const record = random.pick(organisation.records[collection] ?? [])
  const id = shown[collection]?.id ?? ''
  return {
    route: `GET /${collection}/:${id}`,
    path: `/${collection}/${record[id]}`,
    fault: is(200, () => single(organisation, collection, record)),
  }
}

function schemaOf(random: Seeded, organisation: Organisation): Question {
  const kind = random.pick(kinds)
  return {
    route: 'GET /schemas/:organisationId',
    path: `/schemas/${organisation.id}?kind=${kind}`,
    fault: is(200, () => schema(organisation, kind)),
  }
}

/** The request that creates a member, the first time or again: the answer is the same. */
function creation(member: NewMember): Question {
  member.pending++
  return {
    ...post(member.body),
    headers: { 'Idempotency-Key': member.idempotencyKey },
    by: member.by,
    answered: () => {
      member.pending--
    },
    fault({ status, text }) {
      if (status !== 201) return `status ${status}: ${text}`
      const { id } = JSON.parse(text).member
      member.id ??= id
      return member.id === id ? undefined : `${id}, who was created as ${member.id}`
    },
  }
}

/** A member who was created, alone or found by their number. */
function createdMember(random: Seeded, newMembers: NewMembers): Question {
  const { organisation, created } = newMembers
  const member = random.pick(created)
  const record = { memberId: member.id, ...member.values }
  if (random.chance(0.5)) {
    return {
      route: 'GET /members/:memberId',
      path: `/members/${member.id}`,
      fault: is(200, () => single(organisation, 'members', record)),
    }
  }
  const number = encodeURIComponent(String(member.values['Membership Number']))
  const found = [item(organisation, 'members', record)]
  return {
    route: 'GET /members',
    path: `/members?Membership%20Number=${number}`,
    fault: is(200, () => list(organisation, 'members', found, { offset: 0, limit: 100 })),
  }
}

/** A creation that is refused: another member has the number, which is theirs alone. */
function numberOfAnother(random: Seeded, { records }: Organisation): Question {
  const number = random.pick(records.members ?? [])['Membership Number']
  return {
    ...post(JSON.stringify({ 'Membership Number': number })),
    fault: isError(400, 'Membership Number: is the value of another member.'),
  }
}

/** A record that only another organisation has. */
function absent(random: Seeded, { organisation, others }: Situation): Question {
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

/** What no credentials may do, and what is no request. */
function refused(random: Seeded, { others }: Situation): Question {
  const [other] = others
  const asks = {
    key: {
      path: '/members',
      headers: { 'x-api-key': newApiKey(), Authorization: '' },
      fault: isError(401),
    },
    schema: { path: `/schemas/${other?.id}`, fault: isError(401) },
    limit: { path: '/members?limit=251', fault: isError(400) },
    filter: { path: '/members?$secret=1', fault: isError(400) },
  }
  const ask = asks[random.pick(['key', 'schema', 'limit', 'filter'] as const)]
  return {
    route: ask.path.startsWith('/s') ? 'GET /schemas/:organisationId' : 'GET /members',
    ...ask,
  }
}

const singles = Object.keys(shown).filter((name) => shown[name]?.singular)

const post = (body: string) => ({ route: 'POST /members', path: '/members', body })

function window(random: Seeded, records: number) {
  const limit = random.pick([100, 100, 10, 250, 1])
  const offset = random.chance(0.4) ? 0 : random.integer(0, records + 2)
  const query = [limit === 100 ? '' : `limit=${limit}`, offset === 0 ? '' : `offset=${offset}`]
  return { limit, offset, query: query.filter(Boolean).join('&') }
}

// A record's text is made once: it never changes.
const texts = new WeakMap<Properties, string>()

function textOf(organisation: Organisation, collection: string, record: Properties): string {
  const text = texts.get(record) ?? item(organisation, collection, record)
  texts.set(record, text)
  return text
}

const is =
  (status: number, expected: string | (() => string)) =>
  (answer: Answer): string | undefined => {
    if (answer.status !== status) return `status ${answer.status}: ${answer.text.slice(0, 200)}`
    const text = typeof expected === 'string' ? expected : expected()
    return answer.text === text ? undefined : difference(answer.text, text)
  }

const isError =
  (status: number, message?: string) =>
  (answer: Answer): string | undefined => {
    if (answer.status !== status) return `status ${answer.status}: ${answer.text.slice(0, 200)}`
    const body = JSON.parse(answer.text)
    return message && body.message !== message ? body.message : undefined
  }

function difference(given: string, expected: string): string {
  let at = 0
  while (given[at] === expected[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 80)
  return `…${around(given)}… instead of …${around(expected)}…`
}
