import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newPerson } from './auth/identity.ts'
import { failingDatabase, requestWith } from './faults/failing-database.ts'
import { newOrganisation } from './organisation.ts'
import { runs } from './runs.ts'
import { rows } from './store/whole-index.ts'

/** A write or read of an organisation. */
type Step =
  | { put: string; records: { id: string; document: object }[] }
  | { remove: string; id: string }
  | { post: object; by: By; idempotencyKey?: string | undefined }
  | { get: string; by: By }
type By = 'key' | 'token'

const schema = ['number', 'name'].map((id, order) => ({
  id,
  name: id,
  label: id,
  order,
  type: id === 'number' ? 'uniqueId' : 'text',
}))

// Few ids, so that both organisations have the same and similar ones.
const ids = fc.constantFrom('a', 'A', 'a ', 'a%', '0')
const values = fc.constantFrom('x', 'X', '7')
const collections = fc.constantFrom('members', 'volunteers', 'events', 'forms')
const by = fc.constantFrom<By>('key', 'token')

const records = fc.uniqueArray(
  fc.record({ id: ids, document: fc.record({ number: values, name: values }) }),
  { selector: ({ id }) => id, maxLength: 4 },
)

const lists = fc
  .tuple(collections, fc.constantFrom('number', 'name', 'memberId', 'eventId'), values, values)
  .chain(([collection, first, value, other]) =>
    fc.constantFrom(
      `/${collection}?limit=2`,
      `/${collection}?offset=1`,
      `/${collection}?${new URLSearchParams({ [first]: value })}`,
      `/${collection}?${new URLSearchParams({ number: value, name: other })}`,
      `/${collection}?${new URLSearchParams({ number: value, name: other, limit: '1' })}`,
    ),
  )
const singles = fc
  .tuple(fc.constantFrom('members', 'volunteers', 'forms'), ids)
  .map(([collection, id]) => `/${collection}/${encodeURIComponent(id)}?`)

const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ put: collections, records }),
  fc.record({ remove: collections, id: ids }),
  ...[1, 2].map(() =>
    fc.record({
      post: fc.record({ number: values, name: values }, { requiredKeys: [] }),
      by,
      idempotencyKey: fc.option(fc.constantFrom('k', 'K'), { nil: undefined }),
    }),
  ),
  ...[1, 2, 3].map(() => fc.record({ get: fc.oneof(lists, singles), by })),
)

/** An organisation with a key and a token. The user of the token belongs to every organisation. */
async function newTenant(person: ReturnType<typeof newPerson>) {
  const { id, key, put, add, schema: putSchema } = await newOrganisation()
  await putSchema('members', schema)
  await putSchema('volunteers', schema)
  await add(person.email)
  const credentials = {
    key: { 'x-api-key': key },
    token: { Authorization: `Bearer ${await person.token()}` },
  }
  const names = new Map<string, string>([[id, 'this organisation']])

  async function ask(by: By, path: string, init: RequestInit = {}) {
    const { DB, happened } = failingDatabase('lost before', () => false)
    const url = by === 'token' ? `${path}&organisationId=${id}` : path
    const headers = { ...init.headers, ...credentials[by] }
    const answer = await requestWith({ DB }, url, { ...init, headers })
    const body = await answer.text()
    const member = answer.status === 201 ? JSON.parse(body).member.id : undefined
    if (member && !names.has(member)) names.set(member, `member ${names.size}`)
    // The only permitted difference: 403 for another organisation's member.
    const result = answer.status === 403 ? [404] : [answer.status, unnamed(body)]
    const read = /(\d+) rows/.exec(answer.headers.get('Server-Timing') ?? '')?.[1]
    return {
      result: answer.status === 404 ? [404] : result,
      calls: happened.calls,
      rows: Number(read),
    }
  }

  const unnamed = (text: string) =>
    [...names].reduce((text, [id, name]) => text.replaceAll(id, name), text)

  return async (step: Step) => {
    if ('put' in step) await put(step.put, step.records)
    else if ('remove' in step)
      await rows(
        'DELETE FROM records WHERE organisation_id = ? AND collection = ? AND id = ?',
        ...[id, step.remove, step.id],
      )
    else if ('get' in step) return ask(step.by, step.get)
    else
      return ask(step.by, '/members?', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(step.idempotencyKey && { 'Idempotency-Key': step.idempotencyKey }),
        },
        body: JSON.stringify(step.post),
      })
  }
}

type Tenant = Awaited<ReturnType<typeof newTenant>>
type Answer = Awaited<ReturnType<Tenant>>

/** Uses both credentials once: the first use is recorded and costs more. */
async function warm(tenant: Tenant) {
  for (const by of ['key', 'token'] as const) await tenant({ get: '/events?', by })
}

const many = Array.from({ length: 30 }, (_, index) => ({
  id: `many-${index}`,
  document: { number: 'x', name: '7', eventId: 'x' },
}))

test('responses and costs do not depend on another organisation', async () => {
  const steps = fc.array(fc.tuple(fc.boolean(), step), { minLength: 10, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const person = newPerson()
      const alone = await newTenant(person)
      await warm(alone)
      const before: (Answer | undefined)[] = []
      for (const [isOthers, step] of steps) before.push(isOthers ? undefined : await alone(step))

      const [own, other] = [await newTenant(person), await newTenant(person)]
      for (const tenant of [other, own]) await warm(tenant)
      for (const collection of ['members', 'volunteers', 'events', 'forms'])
        await other({ put: collection, records: many })
      for (const [index, [isOthers, step]] of steps.entries()) {
        const after = await (isOthers ? other : own)(step)
        if (isOthers) continue
        expect([after?.result, after?.calls]).toEqual([before[index]?.result, before[index]?.calls])
        // An index range reads one row beyond its end, if any, and a write has several ranges.
        // The other organisation has 30 records of each collection.
        expect(Math.abs((after?.rows || 0) - (before[index]?.rows || 0))).toBeLessThanOrEqual(8)
      }
    }),
    runs(4),
  )
})
