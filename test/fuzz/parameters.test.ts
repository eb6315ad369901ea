import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectionNames } from '../../src/model/collection.ts'
import { everything } from '../examples/everything.ts'
import type { Parameter } from '../http/openapi-document.ts'
import { texts } from '../model/tricky-values.ts'
import { request } from '../organisation.ts'
import { collections } from '../resources/writing.ts'
import { runs } from '../runs.ts'
import { newFilledOrganisation } from './filled-organisation.ts'
import { expectDocumentedResponse, type Operation, readOperations } from './operations.ts'

const reads = (await readOperations()).filter(({ method }) => method === 'GET')
const { id, key, token } = await newFilledOrganisation()
await request('/imports?collection=members', {
  method: 'POST',
  headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
  body: JSON.stringify([{ memberId: everything.members?.id }]),
})
const imports = await request('/imports', { headers: { 'x-api-key': key } })
const [{ importId = '' } = {}] = (await imports.json<{ imports: { importId: string }[] }>()).imports

/** Texts that the document allows for a parameter of a list of records with this id. */
function validValue({ name, schema }: Parameter, template: string): fc.Arbitrary<string> {
  const [, collection = '', operation] = template.split('/')
  const idName = idNames.get(collection) ?? ''
  const { type, format, minimum: min = 0, maximum: max = 0 } = schema
  if (name === 'organisationId') return fc.constant(id)
  if (operation === '$summary' && summaryNames.includes(name))
    return fc.constantFrom(...(schema.examples ?? [])).map(String)
  if (name === '$after' && type !== 'integer') return fc.constant('latest')
  if (name === '$skiptoken') return fc.constant('start')
  if (name === '$orderby') return fc.constantFrom(idName, `${idName} desc`)
  if (name === '$select') return fc.constant(idName)
  if (name === '$expand') return fc.constantFrom(...(schema.examples ?? [])).map(String)
  if (name === '$filter')
    // The index has the first 256 bytes of a text.
    return texts.map((text) => `${idName} ne '${text.slice(0, 60).replaceAll("'", "''")}'`)
  if (name === 'collections') return fc.subarray(collectionNames, { minLength: 1 }).map(String)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (type === 'boolean') return fc.constantFrom('true', 'false', 'TRUE', 'False')
  if (type === 'integer')
    return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max })).map(String)
  if (format === 'date') return days
  if (format === 'date-time') return times
  return texts
}

/** The parameters of a summary that name properties and measures. */
const summaryNames = ['$by', '$measures', '$having', '$orderby', '$bands']

const times = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const days = times.map((time) => time.slice(0, 10))

/** Texts that the document does not allow for a parameter, where it allows not every text. */
function invalidValue({ name, schema }: Parameter): fc.Arbitrary<string> | undefined {
  const { type, format, minimum: min = 0, maximum: max = 0 } = schema
  if (schema.enum) return texts.filter((text) => !schema.enum?.includes(text))
  if (type === 'boolean') return texts.filter((text) => !/^(true|false)$/i.test(text))
  if (type === 'integer') {
    const beyond = fc.constantFrom(`${min - 1}`, `${BigInt(max) + 1n}`, '1.0', '1e2', '+1', ' 1')
    return fc.oneof(
      beyond,
      texts.filter((text) => !/^\d+$/.test(text)),
    )
  }
  if (name === '$after' || name === 'collections' || name === '$skiptoken') return texts
  if (['$filter', '$orderby', '$select', '$expand'].includes(name))
    return fc.constantFrom('', "'", 'a eq', 'a desc desc', ',')
  if (format === 'date-time')
    return fc.oneof(fc.constantFrom('2025-02-29', '2025-03-01T24:30:00Z', 'now'), texts)
  if (format === 'date')
    return fc.oneof(fc.constantFrom('2025-02-29', '2025-2-1', '20250201'), texts)
  return undefined
}

type Query = Record<string, string | undefined>

/** A query with some of the parameters: at most 20, because a list allows so many filters. */
function queryOf({ parameters, template }: Operation) {
  // Only the service can make a cursor of an import's records.
  const isSealed = ({ name }: Parameter) => name === '$after' && template === '/imports/{importId}'
  const inQuery = parameters.filter((it) => it.in === 'query' && !isSealed(it))
  const required = inQuery.filter((it) => it.required)
  const optional = inQuery.filter((it) => !it.required)
  const allowedValue = (parameter: Parameter) => validValue(parameter, template)
  return fc
    .subarray(optional, { maxLength: Math.min(20, optional.length) })
    .chain((some) =>
      fc.record<Query>(
        Object.fromEntries(
          [...required, ...some].map((it) => [it.name, allowedValue(it)] as const),
        ),
      ),
    )
    .map(removeConflicts)
}

const idNames = new Map<string, string>(collections.map(([name, , id]) => [name, id]))

const timeNames = ['$createdFrom', '$createdTo', '$updatedFrom', '$updatedTo']

/** Removes parameters that others exclude or that need others. */
function removeConflicts({ $top, offset, $compare, ...query }: Query): Query {
  const hasDates = timeNames.some((name) => query[name])
  const isPaged = ['$filter', '$orderby', '$count', '$skiptoken'].some((name) => query[name])
  return {
    ...query,
    ...(query.limit === undefined && { $top }),
    ...(!isPaged && { offset }),
    ...(hasDates && { $compare }),
  }
}

function send({ template }: Operation, query: Query, by: string) {
  const ofCollection = template.replace('{collection}', 'events')
  const known = everything[ofCollection.split('/')[1] ?? '']?.id ?? ''
  const path = ofCollection
    .replace('{organisationId}', id)
    .replace('{importId}', importId)
    .replace(/\{\w+\}/, known)
  const entries = Object.entries(query).filter((it): it is [string, string] => it[1] !== undefined)
  const search = new URLSearchParams(entries)
  // Only keys manage webhooks over HTTPS.
  const byToken = by === 'token' && !template.startsWith('/webhooks')
  if (byToken) search.set('organisationId', id)
  const headers = new Headers()
  if (byToken) headers.set('Authorization', `Bearer ${token}`)
  else headers.set('x-api-key', key)
  return request(`${path}?${search}`, { headers })
}

const by = fc.constantFrom('key', 'token')

test('a read accepts every query that the document allows', async () => {
  const requests = fc
    .constantFrom(...reads)
    .chain((operation) => fc.tuple(fc.constant(operation), queryOf(operation), by))
  await fc.assert(
    fc.asyncProperty(requests, async ([operation, query, by]) => {
      const response = await send(operation, query, by)
      expect(response.status).toBe(200)
      await expectDocumentedResponse(operation, response)
    }),
    runs(40),
  )
})

/** The parameters that do not allow every text, each with the operations that take it. */
const limitedParameters = Object.entries(
  Object.groupBy(
    reads.flatMap((operation) =>
      operation.parameters.flatMap((parameter) => {
        const invalid = invalidValue(parameter)
        return invalid ? [{ name: parameter.name, operation, invalid }] : []
      }),
    ),
    ({ name }) => name,
  ),
)

test.each(limitedParameters)(
  'a read rejects a %s that the document does not allow, by its name',
  async (name, uses = []) => {
    const requests = fc
      .constantFrom(...uses)
      .chain(({ operation, invalid }) =>
        fc.tuple(fc.constant(operation), queryOf(operation), invalid, by),
      )
    await fc.assert(
      fc.asyncProperty(requests, async ([operation, query, text, by]) => {
        const response = await send(operation, { ...query, [name]: text }, by)
        expect(response.status).toBe(400)
        expect((await response.json<{ message: string }>()).message).toContain(`${name}: `)
      }),
      runs(10),
    )
  },
)
