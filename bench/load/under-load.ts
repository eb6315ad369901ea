import type { Miniflare } from 'miniflare'
import { migrateDatabases } from '../../cli/state/bindings.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { start } from '../workers.ts'
import { findResponseError } from './check-response.ts'
import { connect, type LoadRequest, type LoadResponse } from './connection.ts'
import {
  type Credential,
  changeCredential,
  createCredentials,
  createWriter,
  variables,
} from './credentials.ts'
import { type Memory, measureMemory } from './memory.ts'
import { nextStep } from './mix.ts'
import { NewMembers } from './new-members.ts'
import {
  createCompleteOrganisation,
  createOrganisations,
  storeOrganisation,
} from './organisations.ts'
import { createRandom, type Random } from './random.ts'
import type { Situation } from './situation.ts'
import { RequestStatistics } from './statistics.ts'
import type { Step } from './step.ts'
import { Writing } from './writing.ts'

/** The number of connections, and the duration or number of requests. */
export type Load = { connections: number } & ({ seconds: number } | { requests: number })

/** The result of a load: its figures and all errors. */
export type LoadResult = {
  figures: RequestStatistics
  seconds: number
  created: number
  changes: number
  /** Samples at regular intervals. */
  memory: Memory[]
  errors: string[]
}

type Send = (request: LoadRequest) => Promise<LoadResponse>

/** Starts the deployed Worker in its own workerd, with migrated empty databases and the load's identity provider. */
export async function startMigrated(folder: string, script: string) {
  const started = await start(folder, script, { variables, inspectorPort: 0 })
  await migrateDatabases(started.bindings)
  return started
}

const requestsPerChange = 50
const samples = 18

/** Loads a Worker while members are created, one organisation's records are written, and keys and users change; checks every response. The kinds of requests are the same in every run. */
export async function runLoad(
  { runtime, url, bindings }: { runtime: Miniflare; url: string; bindings: Bindings },
  load: Load,
): Promise<LoadResult> {
  const all = await createOrganisations()
  const credentials: Credential[] = []
  for (const organisation of all) {
    await storeOrganisation(bindings, organisation)
    credentials.push(...(await createCredentials(bindings, organisation.id)))
  }
  const writtenOrganisation = await createCompleteOrganisation('org-2')
  await storeOrganisation(bindings, writtenOrganisation)
  const writing = new Writing(
    writtenOrganisation,
    await createWriter(bindings, writtenOrganisation.id),
  )
  const newMembers = all.map((organisation) => new NewMembers(organisation))
  const describeSituation = (credential: Credential): Situation => {
    const members = newMembers.find(
      ({ organisation }) => organisation.id === credential.organisationId,
    )
    if (!members) throw new RangeError('The credential has no organisation.')
    const others = all.filter((organisation) => organisation !== members.organisation)
    return {
      credential,
      organisation: members.organisation,
      newMembers: members,
      others,
      writing,
    }
  }

  const { send, close } = connect(url, load.connections)
  const { text: document } = await send({ path: '/openapi.json', headers: {} })
  const figures = new RequestStatistics()
  const errors: string[] = []
  const random = createRandom('load')
  const start = performance.now()
  const elapsedSeconds = () => (performance.now() - start) / 1000
  let requests = 0
  /** The completed share of the load: 1 at its end. */
  const done = () =>
    'seconds' in load ? elapsedSeconds() / load.seconds : requests / load.requests

  const { sample, close: closeInspector } = await measureMemory(runtime)
  const memory: Memory[] = []
  let changes = 0
  let samplesTaken = 0
  // One at a time, while all other connections continue.
  let background = Promise.resolve()
  const next = (work: () => Promise<void>) => {
    background = background.then(work)
    return background
  }

  /** Takes a sample. The inspector waits until the Worker receives a request. */
  async function takeSample() {
    const waking = setInterval(() => void send({ path: '/wake', headers: {} }).catch(() => {}), 50)
    try {
      memory.push(await sample())
    } finally {
      clearInterval(waking)
    }
  }

  async function connection(index: number) {
    while (done() < 1) {
      const number = ++requests
      const stepRandom = createRandom(`request ${number}`)
      const credential = pickCredential(credentials, stepRandom)
      const step = nextStep(stepRandom, describeSituation(credential), document)
      const error = await sendStep(step, step.credential ?? credential, `192.0.2.${index}`)
      if (error) errors.push(error)
      if (number % requestsPerChange === 0) {
        changes++
        await next(() => changeCredential(bindings, credentials, random))
      }
      if (done() * samples > samplesTaken) {
        samplesTaken++
        await next(takeSample)
      }
    }
  }

  /** Sends a request and returns the error of its response. */
  async function sendStep(step: Step, credential: Credential, address: string) {
    const { changes, isValid } = credential
    const request = toRequest(step, credential, address)
    const name = `${step.route} (${request.path}) as ${credential.organisationId}`
    try {
      const response = await send(request)
      figures.add(step.route, response.durationMs, response.status)
      const isStable = changes % 2 === 0 && credential.changes === changes
      const problem = response.headerError ?? findResponseError(step, response, isStable, isValid)
      return problem && `${name}: ${problem}`
    } catch (error) {
      return `${name}: ${error}`
    } finally {
      step.onResponse?.()
    }
  }

  try {
    await Promise.all(Array.from({ length: load.connections }, (_, index) => connection(index + 1)))
    const seconds = elapsedSeconds()
    for (const members of newMembers)
      errors.push(...(await findLostOrRepeated(send, members, credentials)))
    errors.push(...(await writing.findLostOrTorn(send)))
    const created = newMembers.reduce((sum, members) => sum + members.created.length, 0)
    return { figures, seconds, created, changes, memory, errors }
  } finally {
    closeInspector()
    close()
  }
}

/** Picks mostly a valid credential, sometimes an invalid one. */
function pickCredential(credentials: readonly Credential[], random: Random): Credential {
  const valid = credentials.filter(({ isValid }) => isValid)
  return random.pick(random.chance(0.1) ? credentials : valid)
}

function toRequest(
  { method, path, body, headers, type, isPublic }: Step,
  credential: Credential,
  address: string,
): LoadRequest {
  const query = credential.query && `${path.includes('?') ? '&' : '?'}${credential.query}`
  return {
    method,
    path: isPublic ? path : path + query,
    body,
    type,
    headers: {
      // The limit of failures counts per address, as on the internet.
      'CF-Connecting-IP': address,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(!isPublic && credential.headers),
      ...headers,
    },
  }
}

/** Returns the errors of the whole list of members at the end. */
async function findLostOrRepeated(
  send: Send,
  members: NewMembers,
  credentials: readonly Credential[],
) {
  const { id } = members.organisation
  const credential = credentials.find(
    ({ organisationId, isValid }) => organisationId === id && isValid,
  )
  const { min } = members.counts
  const limit = 250
  const errors: string[] = []
  for (let offset = 0; offset <= min; offset += limit) {
    const path = `/members?limit=${limit}&offset=${offset}${credential?.query && `&${credential.query}`}`
    const { text } = await send({ path, headers: { ...credential?.headers } })
    const error = members.findPageError(text, { offset, limit }, min)
    if (error) errors.push(`In the end, the members of ${id} from ${offset}: ${error}`)
  }
  return errors
}
