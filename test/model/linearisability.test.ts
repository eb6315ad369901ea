import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { requestWith, wrapDatabase } from '../faults/failing-database.ts'
import { newWriter } from '../resources/writing.ts'
import { runs } from '../runs.ts'
import { type Exchange, isLinearisable } from './linearisability.ts'
import { type Answer, nothing, type Request, step } from './one-record.ts'
import { type ConcurrentCollection, clientsOf, concurrentCollections } from './written-records.ts'

const schemaFields = [
  ['Full Name', 'text'],
  ['Age', 'number'],
  ['Consent', 'boolean'],
  ['Postcode', 'postcode'],
].map(([id, type], order) => ({ id, type, order, name: id, label: id }))

// Requests try again at once, and none runs out of time however busy the machine is.
beforeEach(() => {
  const { setTimeout } = globalThis
  vi.stubGlobal('setTimeout', (act: () => void, milliseconds = 0) =>
    milliseconds < 10_000 ? setTimeout(act, 0) : undefined,
  )
})
afterEach(() => vi.unstubAllGlobals())

type History = Exchange<Request, Answer>[]

test.each(Object.entries(concurrentCollections))(
  'requests for one of the %s at the same time are answered as if one came after the other',
  async (collection, model) => {
    const { id, key } = await newWriter(schemaFields)
    let made = 0
    await fc.assert(
      fc.asyncProperty(
        fc.option(model.bodies),
        clientsOf(model),
        fc.scheduler(),
        async (initial, clients, scheduler) => {
          // Generated orders of when each call begins, and of when its answer is read.
          const DB = wrapDatabase(env.DB, async (make) => {
            await scheduler.schedule(Promise.resolve())
            const answer = await make()
            await scheduler.schedule(Promise.resolve())
            return answer
          })
          // A member that another organisation has is 403 instead of 404.
          const target = { collection, model, id: `${id}-${made++}`, key }
          const history: History = []
          let moment = 0
          const exchange = async (bindings: object, request: Request) => {
            const sent = moment++
            const answer = await send(target, bindings, request)
            history.push({ request, answer, sent, answered: moment++ })
            return answer
          }
          if (initial) await exchange({}, { method: 'put', body: initial })
          const work = clients.map(async (requests) => {
            let lastVersion: number | undefined
            for (const request of requests) {
              const answer = await exchange({ DB }, { ...request, lastVersion })
              lastVersion = answer.version ?? lastVersion
            }
          })
          await scheduler.waitFor(Promise.all(work))
          await exchange({}, { method: 'get' })
          const serve = step.bind(undefined, model)
          if (!isLinearisable(history, nothing, serve))
            throw new Error(JSON.stringify(history, null, 1))
        },
      ),
      runs(collection === 'members' ? 25 : 13),
    )
  },
)

type Target = { collection: string; model: ConcurrentCollection; id: string; key: string }

async function send(
  { collection, model, id, key }: Target,
  bindings: object,
  request: Request,
): Promise<Answer> {
  const { singular, idName, read } = model
  const { method, precondition, lastVersion } = request
  const isList = method === 'patchList'
  const path = isList ? `/${collection}` : `/${collection}/${id}`
  const body =
    request.body && (isList ? { [collection]: [{ ...request.body, [idName]: id }] } : request.body)
  const answer = await requestWith(bindings, path, {
    method: isList ? 'PATCH' : method.toUpperCase(),
    headers: {
      'x-api-key': key,
      'Content-Type': 'application/json',
      ...(precondition === 'match any' && { 'If-Match': '*' }),
      ...(precondition === 'match none' && { 'If-None-Match': '*' }),
      ...(precondition === 'match last' && { 'If-Match': `"${lastVersion ?? 0}"` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { status } = answer
  const text = await answer.text()
  if (status >= 300 || status === 204) return { status }
  const shown = JSON.parse(text)
  if (isList) return { status, counts: shown }
  return {
    status,
    shown: read(shown[singular]),
    version: Number(/\d+/.exec(answer.headers.get('ETag') ?? '')?.[0]),
  }
}

test('the check refuses a history in which a patch is lost, and an answer that came before its request', () => {
  const { members } = concurrentCollections
  const serve = step.bind(undefined, members)
  const put: Exchange<Request, Answer> = {
    request: { method: 'put', body: { Consent: true } },
    answer: { status: 201, shown: { Consent: true }, version: 1 },
    sent: 0,
    answered: 1,
  }
  const patched = (Consent: boolean, version: number, sent: number, answered: number) => ({
    request: { method: 'patch' as const, body: { Consent } },
    answer: { status: 200, shown: { Consent: false }, version },
    sent,
    answered,
  })
  const got = (version: number, Consent: boolean, sent: number) => ({
    request: { method: 'get' as const },
    answer: { status: 200, shown: { Consent }, version },
    sent,
    answered: sent + 1,
  })
  expect(isLinearisable([put, patched(false, 2, 2, 5), got(1, true, 3)], nothing, serve)).toBe(true)
  expect(isLinearisable([put, patched(false, 2, 2, 3), got(1, true, 4)], nothing, serve)).toBe(
    false,
  )
  expect(
    isLinearisable([put, patched(false, 2, 2, 5), patched(true, 2, 3, 4)], nothing, serve),
  ).toBe(false)
})
