import type { Miniflare } from 'miniflare'
import type { Bindings } from '../../src/platform/bindings.ts'
import { type Answer, connect, type Sent } from './connection.ts'
import { type Credential, changeOne, credentialsOf, writerOf } from './credentials.ts'
import { Figures } from './figures.ts'
import { faultOfAnswer } from './judge.ts'
import { type Memory, memoryOf } from './memory.ts'
import { question as questionOf } from './mix.ts'
import { NewMembers } from './new-members.ts'
import { keep, organisations, whole } from './organisations.ts'
import type { Question, Situation } from './question.ts'
import { type Seeded, seeded } from './seeded.ts'
import { Writing } from './writing.ts'

/** Over how many connections a Worker is asked, and until when. */
export type Load = { connections: number } & ({ seconds: number } | { requests: number })

/** The result of a load: its figures and all errors. */
export type Outcome = {
  figures: Figures
  seconds: number
  created: number
  changes: number
  /** Samples, taken evenly. */
  memory: Memory[]
  errors: string[]
}

type Ask = (sent: Sent) => Promise<Answer>

const requestsPerChange = 50
const samples = 18

/** Puts a Worker under a load, while members are created, one organisation's records are written, and keys and users come and go, and checks every answer. The request of each number is of the same kind every time. */
export async function underLoad(
  { runtime, url, bindings }: { runtime: Miniflare; url: string; bindings: Bindings },
  load: Load,
): Promise<Outcome> {
  const all = await organisations()
  const credentials: Credential[] = []
  for (const organisation of all) {
    await keep(bindings, organisation)
    credentials.push(...(await credentialsOf(bindings, organisation.id)))
  }
  const written = await whole('org-2')
  await keep(bindings, written)
  const writing = new Writing(written, await writerOf(bindings, written.id))
  const newMembers = all.map((organisation) => new NewMembers(organisation))
  const situationOf = (credential: Credential): Situation => {
    const own = newMembers.find(({ organisation }) => organisation.id === credential.organisationId)
    if (!own) throw new RangeError('A credential is of no organisation.')
    const others = all.filter((organisation) => organisation !== own.organisation)
    return { credential, organisation: own.organisation, newMembers: own, others, writing }
  }

  const { ask, close } = connect(url, load.connections)
  const { text: document } = await ask({ path: '/openapi.json', headers: {} })
  const figures = new Figures()
  const errors: string[] = []
  const random = seeded('load')
  const begun = performance.now()
  const secondsSince = () => (performance.now() - begun) / 1000
  let asked = 0
  /** How much of the load is done: 1 at its end. */
  const done = () => ('seconds' in load ? secondsSince() / load.seconds : asked / load.requests)

  const { sample, close: hangUp } = await memoryOf(runtime)
  const memory: Memory[] = []
  let changes = 0
  let due = 0
  // One at a time, while all other connections continue.
  let background = Promise.resolve()
  const next = (work: () => Promise<void>) => {
    background = background.then(work)
    return background
  }

  /** Takes a sample, for which the inspector waits until the Worker is asked something. */
  async function sampled() {
    const waking = setInterval(() => void ask({ path: '/wake', headers: {} }).catch(() => {}), 50)
    try {
      memory.push(await sample())
    } finally {
      clearInterval(waking)
    }
  }

  async function connection(place: number) {
    while (done() < 1) {
      const number = ++asked
      const own = seeded(`request ${number}`)
      const credential = anyOf(credentials, own)
      const question = questionOf(own, situationOf(credential), document)
      const fault = await faultOf(question, question.by ?? credential, `192.0.2.${place}`)
      if (fault) errors.push(fault)
      if (number % requestsPerChange === 0) {
        changes++
        await next(() => changeOne(bindings, credentials, random))
      }
      if (done() * samples > due) {
        due++
        await next(sampled)
      }
    }
  }

  /** Sends a request and returns the error of its response. */
  async function faultOf(asked: Question, credential: Credential, address: string) {
    const { changes, isGood } = credential
    const sent = sentOf(asked, credential, address)
    const name = `${asked.route} (${sent.path}) as ${credential.organisationId}`
    try {
      const answer = await ask(sent)
      figures.add(asked.route, answer.took, answer.status)
      const isSure = changes % 2 === 0 && credential.changes === changes
      const fault = answer.faultOfHeaders ?? faultOfAnswer(asked, answer, isSure, isGood)
      return fault && `${name}: ${fault}`
    } catch (error) {
      return `${name}: ${error}`
    } finally {
      asked.answered?.()
    }
  }

  try {
    await Promise.all(Array.from({ length: load.connections }, (_, place) => connection(place + 1)))
    const seconds = secondsSince()
    for (const members of newMembers)
      errors.push(...(await lostOrDoubled(ask, members, credentials)))
    errors.push(...(await writing.lostOrTorn(ask)))
    const created = newMembers.reduce((sum, members) => sum + members.created.length, 0)
    return { figures, seconds, created, changes, memory, errors }
  } finally {
    hangUp()
    close()
  }
}

/** Picks mostly a valid credential, sometimes an invalid one. */
function anyOf(credentials: readonly Credential[], random: Seeded): Credential {
  const good = credentials.filter(({ isGood }) => isGood)
  return random.pick(random.chance(0.1) ? credentials : good)
}

function sentOf(
  { method, path, body, headers, type, isOpen }: Question,
  by: Credential,
  address: string,
): Sent {
  const query = by.query && `${path.includes('?') ? '&' : '?'}${by.query}`
  return {
    method,
    path: isOpen ? path : path + query,
    body,
    type,
    headers: {
      // The limit of failures counts per address, as on the internet.
      'CF-Connecting-IP': address,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(!isOpen && by.headers),
      ...headers,
    },
  }
}

/** Returns the errors of the whole list of members at the end. */
async function lostOrDoubled(ask: Ask, members: NewMembers, credentials: readonly Credential[]) {
  const { id } = members.organisation
  const by = credentials.find(({ organisationId, isGood }) => organisationId === id && isGood)
  const { least } = members.counts
  const limit = 250
  const errors: string[] = []
  for (let offset = 0; offset <= least; offset += limit) {
    const path = `/members?limit=${limit}&offset=${offset}${by?.query && `&${by.query}`}`
    const { text } = await ask({ path, headers: { ...by?.headers } })
    const fault = members.faultOfPage(text, { offset, limit }, least)
    if (fault) errors.push(`In the end, the members of ${id} from ${offset}: ${fault}`)
  }
  return errors
}
