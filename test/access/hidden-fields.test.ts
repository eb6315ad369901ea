import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldCategories } from '../../src/access/field-categories.ts'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { type Role, roleTable } from '../../src/access/roles.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { isSameJson } from '../../src/model/json.ts'
import { newPerson } from '../auth/identity.ts'
import { newSignedIn } from '../dashboard/signed-in.ts'
import { createKey } from '../keys.ts'
import { muteLog } from '../logs/mute.ts'
import { send as askAssistant, newAssistantKey } from '../mcp/assistant.ts'
import { basic, sendOData } from '../odata/service.ts'
import { request } from '../organisation.ts'
import { newWriter, type Writer } from '../resources/writing.ts'
import { runs } from '../runs.ts'
import { allRequests, requestsFromResponses, type TestRequest } from './requests.ts'
import { fields, hideableNames, putFirstVariant, switchVariant } from './variants.ts'

const usual = ['read', 'create-members', 'write']

/** Restrictions that hide something from a key. */
const restrictions: fc.Arbitrary<Restrictions> = fc
  .record(
    {
      collections: fc.subarray(collectionNames, { minLength: 4 }),
      privateNotes: fc.constant(false as const),
      hideFields: fc.oneof(
        fc.subarray([...fieldCategories], { minLength: 2 }),
        fc.subarray(hideableNames, { minLength: 4, maxLength: 16 }),
      ),
    },
    { requiredKeys: [] },
  )
  .filter((restrictions) => Object.keys(restrictions).length > 0)

/** The number of requests per topic in each run. Summaries follow references, so they can name more fields than the others together. */
const summaries = { summaries: 60 }
const applied = { applied: 30, assistant: 6 }
const counts = { lists: 4, summaries: 1, others: 1, singles: 1, writes: 1, values: 1, files: 1 }

async function newVariantWriter() {
  const writer = await newWriter(fields)
  await putFirstVariant(writer)
  return writer
}

/** Sends requests with a new key that has these restrictions. */
async function askWithKey(writer: Writer, restrictions: Restrictions) {
  const { key } = await createKey(env, writer.id, 'a', 'a', undefined, usual, restrictions)
  const assistantKey = await newAssistantKey(writer.id, restrictions)
  return ({ service, method, path, body, headers }: TestRequest) => {
    if (service === 'odata') return sendOData(writer.id, path, { headers: basic(key) })
    if (service === 'assistant') return askAssistant(assistantKey, 'tools/call', Object(body))
    return writer.send(method, path, body, { 'x-api-key': key, ...headers })
  }
}

const limitedRole = 'reader-without-contact-details' satisfies Role

/** Sends requests as a reader without contact details: with a token, or signed in to the dashboard. */
async function askAsReader(writer: Writer) {
  const { visit } = await newSignedIn(limitedRole, writer)
  const person = newPerson()
  await writer.add(person.email, limitedRole)
  const token = { Authorization: `Bearer ${await person.token()}` }
  return ({ service, method, path, headers }: TestRequest) => {
    if (service === 'odata') return sendOData(writer.id, path, { headers: token })
    if (service === 'dashboard') return visit(path)
    const query = `${path.includes('?') ? '&' : '?'}organisationId=${writer.id}`
    return request(path + query, { method, headers: { ...token, ...headers } })
  }
}

const roleRestrictions = fc.constant<Restrictions>(roleTable[limitedRole].restrictions ?? {})
const read = { lists: 20, pages: 30, summaries: 15, applied: 10, singles: 4 }

test.each([
  ['none of the responses to a key', counts, 6, restrictions, askWithKey],
  ['no summary for a key', summaries, 4, restrictions, askWithKey],
  ['no `$apply` and no summary of an assistant', applied, 6, restrictions, askWithKey],
  ['no response or page for a reader', read, 2, roleRestrictions, askAsReader],
])(
  'hidden values change %s',
  async (_, counts, count, restrictions, open) => {
    // OData logs what it does not support, such as groups by a list.
    muteLog()
    let writer = await newVariantWriter()
    let succeeded = 0
    await fc.assert(
      fc.asyncProperty(restrictions, fc.infiniteStream(fc.nat()), async (restrictions, chosen) => {
        const ask = await open(writer, restrictions)
        const pick = <Item>(items: Item[], count: number) =>
          [...chosen.take(count)].map((n) => items[n % items.length] as Item)
        const send = async (request: TestRequest) => {
          const response = await ask(request)
          return {
            request,
            status: response.status,
            headers: [...response.headers]
              // Both differ with each request.
              .filter(([name]) => name !== 'x-request-id' && name !== 'ratelimit')
              .map(normaliseHeader),
            // Without the time at the start of a person's data, and the random marks in results for assistants.
            body: new TextDecoder()
              .decode(await response.arrayBuffer())
              .replace(/^\{"at":"[^"]*",/, '{')
              .replaceAll(/records-[\da-f]{8}/g, 'records'),
          }
        }
        // The first request caches the restrictions.
        await send({ method: 'GET', path: '/nowhere' })
        const topics = allRequests(writer, restrictions)
        const requests = Object.entries(counts).flatMap(([name, n]) =>
          pick(topics[name]?.() ?? [], n),
        )
        const singles = topics.singles?.() ?? []
        const followUps = await requestsFromResponses(pick(singles, 1), send)
        requests.push(...pick(followUps, 2))
        // One after the other: a request may import a module, and vitest blocks a second import of it until the first has finished.
        const sendAll = async () => {
          const responses: Awaited<ReturnType<typeof send>>[] = []
          for (const request of requests) responses.push(await send(request))
          return responses
        }
        const version = await readVersion(writer.id)
        const before = await sendAll()
        expect(await readVersion(writer.id)).toBe(version)
        await switchVariant(writer, 'other', restrictions)
        const after = await sendAll()
        expect(before.filter(({ status }) => status >= 500 && status !== 501)).toEqual([])
        succeeded += before.filter(({ status }) => status === 200).length
        const pairs = before.map((response, index) => ({ before: response, after: after[index] }))
        expect(pairs.filter(({ before, after }) => !isSameJson(before, after))).toEqual([])
        // A deleted private note cannot be restored without a new version.
        if (restrictions.privateNotes === false) writer = await newVariantWriter()
        else await switchVariant(writer, 'one', restrictions)
      }),
      // Shrinking would start from the records of the failed run.
      { ...runs(count), endOnFailure: true },
    )
    expect(succeeded).toBeGreaterThan(0)
  },
  600_000,
)

/** The version of the organisation's last change. */
const readVersion = (id: string) =>
  env.DB.prepare('SELECT version FROM organisations WHERE id = ?').bind(id).first('version')

/** A response header without its durations. */
const normaliseHeader = ([name, value]: [string, string]) => [name, value.replace(/dur=[\d.]+/, '')]
