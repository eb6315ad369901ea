import fc from 'fast-check'
import { ApiError, statuses } from '../../../src/model/api-error.ts'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { Records } from '../../../src/records/records.ts'
import { resource as events } from '../../../src/resources/events.ts'
import { resource as forms } from '../../../src/resources/forms.ts'
import { resource as members } from '../../../src/resources/members.ts'
import type { Resource } from '../../../src/resources/routes/resource.ts'
import { readSingle, type Single } from '../../../src/store/read/single.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Exchange, isLinearisable, neverAnswered } from '../../model/linearisability.ts'
import { type Answer, nothing, type Request, step } from '../../model/one-record.ts'
import {
  type ConcurrentCollection,
  clientsOf,
  concurrentCollections,
} from '../../model/written-records.ts'
import { isFault } from './faults.ts'
import type { World } from './world.ts'

const resources = { members, events, forms }

/** A record that clients write at the same time, with each client's requests and all exchanges. */
type WrittenRecord = {
  collection: keyof typeof concurrentCollections
  id: string
  clients: readonly (readonly Request[])[]
  exchanges: Exchange<Request, Answer>[]
}

/** Chooses a record and the requests of its clients. */
export function planRecord({ random }: World['simulation'], id: string): WrittenRecord {
  const collection = random.pick(['members', 'events', 'forms'])
  const [clients = []] = fc.sample(clientsOf(concurrentCollections[collection]), {
    seed: random.integer(0, 2 ** 31),
    numRuns: 1,
  })
  return { collection, id, clients, exchanges: [] }
}

/** Sends the requests of every client, each client's one after the other. */
export async function writeRecord(world: World, record: WrittenRecord): Promise<void> {
  const { simulation } = world
  await Promise.all(
    record.clients.map(async (requests) => {
      let lastVersion: number | undefined
      for (const request of requests) {
        await simulation.pause(simulation.random.integer(0, world.maxPauseMs))
        const { version } = await exchange(world, record, { ...request, lastVersion })
        lastVersion = version ?? lastVersion
      }
    }),
  )
}

/** Reads the record at the end, and throws unless its history is one of requests that were served one after the other. */
export async function checkRecord(world: World, record: WrittenRecord): Promise<void> {
  await exchange(world, record, { method: 'get' })
  const { collection, exchanges } = record
  const serve = step.bind(undefined, concurrentCollections[collection])
  if (!isLinearisable(exchanges, nothing, serve))
    throw new Error(
      `An update of one of the ${collection} is lost: ${JSON.stringify(exchanges, null, 1)}`,
    )
}

async function exchange(
  world: World,
  { collection, id, exchanges }: WrittenRecord,
  request: Request,
): Promise<Answer> {
  const { simulation, organisationId } = world
  const target = { resource: resources[collection], model: concurrentCollections[collection], id }
  const sent = simulation.nextMoment()
  const answer = await world
    .invoke(async (env) => {
      const store = world.openStore(env)
      const answer = await send(env, store, target, request)
      if (store.hasWebhooks) env.CHANGES.send({ organisationId }).catch(() => {})
      return answer
    })
    .catch(toAnswer)
  const answered = answer.status === statuses.UNAVAILABLE ? neverAnswered : simulation.nextMoment()
  exchanges.push({ request, answer, sent, answered })
  return answer
}

/** The status of an error. Throws an error that no fault explains. */
function toAnswer(error: unknown): Answer {
  if (isFault(error)) return { status: statuses.UNAVAILABLE }
  if (error instanceof ApiError) return { status: statuses[error.type] }
  throw error
}

type Target = { resource: Resource; model: ConcurrentCollection; id: string }

/** Serves a request as the routes do. */
async function send(
  env: Bindings,
  store: Store,
  { resource, model, id }: Target,
  { method, body = {}, precondition, lastVersion = 0 }: Request,
): Promise<Answer> {
  const { name, id: idName, related } = resource
  const records = new Records(store, env.GEOGRAPHY, env.KEYS)
  const preconditions = {
    ...(precondition === 'match any' && { match: '*' as const }),
    ...(precondition === 'match none' && { noneMatch: '*' as const }),
    ...(precondition === 'match last' && { match: [lastVersion] }),
  }

  function show(single: Single, status = 200): Answer {
    const { record } = single
    if (!record) return { status: statuses.NOT_FOUND }
    const { document, version } = record
    const { organisationId } = store
    const input = { id, organisationId, document, single, profileFields: undefined }
    const text = resource.render(input)[resource.singular]
    return { status, version, shown: model.read(JSON.parse(text ?? '{}')) }
  }

  if (method === 'get') return show(await readSingle(store, { ...related, collection: name, id }))
  if (method === 'patch')
    return show(await records.merge(resource, id, body, preconditions, related))
  if (method === 'patchList') {
    const counts = await records.upsertBatch(resource, [{ ...body, [idName]: id }])
    return { status: 200, counts }
  }
  if (method === 'delete') {
    await records.delete(resource, id, preconditions, { cascade: false })
    return { status: 204 }
  }
  const { created, single } = await records.replace(resource, id, body, preconditions, related)
  return show(single, created ? 201 : 200)
}
