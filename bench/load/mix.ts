import { generateApiKey } from '../../src/auth/key-text.ts'
import { createdMember, creation, numberOfAnother } from './creations.ts'
import { is, isError } from './judge.ts'
import { filteredPage, page, pageOfMembers } from './lists.ts'
import type { Question, Situation } from './question.ts'
import type { Seeded } from './seeded.ts'
import { absent, everythingOf, one, schemaOf } from './singles.ts'
import { table } from './tables.ts'

/** How often each kind of question is asked. */
const weights = {
  list: 30,
  'filtered list': 25,
  single: 20,
  everything: 4,
  'list of members': 8,
  schema: 5,
  'new member': 5,
  'created member': 5,
  'member again': 1,
  'number of another': 1,
  table: 4,
  write: 22,
  changes: 5,
  absent: 3,
  refused: 2,
  document: 1,
}

/** The next request; `document` is the OpenAPI document. */
export function question(random: Seeded, situation: Situation, document: string): Question {
  const { organisation, newMembers, writing } = situation
  const asks: Record<keyof typeof weights, () => Question> = {
    list: () => page(random, organisation),
    'filtered list': () => filteredPage(random, situation),
    single: () => one(random, organisation),
    everything: () => everythingOf(random, organisation),
    'list of members': () => pageOfMembers(random, newMembers),
    schema: () => schemaOf(random, organisation),
    'new member': () => creation(newMembers.next(situation.credential)),
    'created member': () => createdMember(random, newMembers),
    'member again': () => creation(random.pick(newMembers.wanted)),
    'number of another': () => numberOfAnother(random, organisation),
    table: () => table(random, organisation),
    write: () => writing.next(random, false) ?? one(random, organisation),
    changes: () => writing.next(random, true) ?? one(random, organisation),
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

/** Requests that no credentials may make, and invalid ones. */
function refused(random: Seeded, { others }: Situation): Question {
  const [other] = others
  const asks = {
    key: {
      path: '/members',
      headers: { 'x-api-key': generateApiKey(), Authorization: '' },
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
