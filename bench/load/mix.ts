import { generateApiKey } from '../../src/auth/key-text.ts'
import { expectError, expectText } from './check-response.ts'
import { createMember, createWithTakenNumber, readCreatedMember } from './creations.ts'
import { readFilteredPage, readMembers, readPage, readSummary } from './lists.ts'
import type { Random } from './random.ts'
import { readCaller, readMissing, readPersonalData, readSchema, readSingle } from './singles.ts'
import type { Situation } from './situation.ts'
import type { Step } from './step.ts'
import { readTable } from './tables.ts'

/** The relative frequency of each kind of step. */
const weights = {
  list: 30,
  'filtered list': 25,
  summary: 16,
  single: 20,
  everything: 4,
  'list of members': 8,
  schema: 5,
  caller: 1,
  'new member': 5,
  'created member': 5,
  'member again': 1,
  'number of another': 1,
  table: 4,
  write: 28,
  changes: 5,
  missing: 3,
  rejected: 2,
  document: 1,
}

/** Returns the next step; `document` is the OpenAPI document. */
export function nextStep(random: Random, situation: Situation, document: string): Step {
  const { organisation, newMembers, writing } = situation
  const steps: Record<keyof typeof weights, () => Step> = {
    list: () => readPage(random, organisation),
    'filtered list': () => readFilteredPage(random, situation),
    summary: () => readSummary(random, situation),
    single: () => readSingle(random, organisation),
    everything: () => readPersonalData(random, organisation),
    'list of members': () => readMembers(random, newMembers),
    schema: () => readSchema(random, organisation),
    caller: () => readCaller(organisation),
    'new member': () => createMember(newMembers.next(situation.credential)),
    'created member': () => readCreatedMember(random, newMembers),
    'member again': () => createMember(random.pick(newMembers.expected)),
    'number of another': () => createWithTakenNumber(random, organisation),
    table: () => readTable(random, organisation),
    write: () => writing.next(random, false) ?? readSingle(random, organisation),
    changes: () => writing.next(random, true) ?? readSingle(random, organisation),
    missing: () => readMissing(random, situation),
    rejected: () => rejectedRequest(random, situation),
    document: () => ({
      route: 'GET /openapi.json',
      path: '/openapi.json',
      findError: expectText(200, document),
      isPublic: true,
    }),
  }
  const name = random.weighted(weights)
  const needsMembers = name === 'created member' || name === 'member again'
  return steps[needsMembers && newMembers.created.length === 0 ? 'new member' : name]()
}

/** Returns a request that is invalid or not allowed for any credential. */
function rejectedRequest(random: Random, { others }: Situation): Step {
  const [other] = others
  const requests = {
    key: {
      path: '/members',
      headers: { 'x-api-key': generateApiKey(), Authorization: '' },
      findError: expectError(401),
    },
    schema: { path: `/schemas/${other?.id}`, findError: expectError(401) },
    limit: { path: '/members?limit=251', findError: expectError(400) },
    filter: { path: '/members?$secret=1', findError: expectError(400) },
  }
  const request = requests[random.pick(['key', 'schema', 'limit', 'filter'] as const)]
  return {
    route: request.path.startsWith('/s') ? 'GET /schemas/:organisationId' : 'GET /members',
    ...request,
  }
}
