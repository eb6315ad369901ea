import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { isKind } from '../../src/model/properties/schema.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { createKey } from '../keys.ts'
import {
  newOrganisation,
  request,
  requestBeyondLimit,
  requestWithoutDatabase,
} from '../organisation.ts'
import { rows } from '../store/whole-index.ts'
import { readDocument } from './openapi-document.ts'
import { schemaValidator } from './schemas.ts'

/** The maximum size of the document as served: tools read all of it before they show one operation. */
const maxBytes = 376_500

test('the document is as reviewed', async () => {
  const text = await (await request('/openapi.json')).text()
  expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(maxBytes)
  await expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`).toMatchFileSnapshot(
    './openapi.snap.json',
  )
})

test('every path of the contract is described, with its parameters', async () => {
  const { paths } = await readDocument()
  const described = Object.entries(paths).map(([path, { get, post, delete: remove }]) => {
    const inPath = (get ?? post ?? remove)?.parameters.filter(
      (parameter) => parameter.in === 'path',
    )
    expect(inPath?.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
    return path
  })
  expect(described.toSorted()).toEqual(
    [
      ...Object.keys(everything).map((collection) => `/${collection}`),
      '/members/{memberId}',
      '/volunteers/{volunteerId}',
      '/partners/{partnerId}',
      '/{collection}/$summary',
      '/{collection}/{id}/$versions',
      '/{collection}/{id}/$restore',
      '/members/{memberId}/$everything',
      '/volunteers/{volunteerId}/$everything',
      '/partners/{partnerId}/$everything',
      '/members/{memberId}/$merge',
      '/volunteers/{volunteerId}/$merge',
      '/partners/{partnerId}/$merge',
      '/forms/{formId}/$links',
      '/events/{eventId}',
      '/bookings/{bookingId}',
      '/bookings/{bookingId}/$attendance',
      '/survey-responses/{responseId}',
      '/case-notes/{noteId}',
      '/forms/{formId}',
      '/funds/{fundId}',
      '/grant-applications/{applicationId}',
      '/disbursements/{disbursementId}',
      '/schemas/{organisationId}',
      '/changes',
      '/webhooks',
      '/webhooks/$sample',
      '/webhooks/{webhookId}',
      '/imports',
      '/imports/{importId}',
      '/imports/{importId}/$undo',
      '/me',
    ].toSorted(),
  )
})

test('each operation has a unique name, made of a verb and its records', async () => {
  const { paths } = await readDocument()
  const names = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const collection of Object.keys(everything)) {
    const plural = collection.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
    const singular = plural.slice(0, -1)
    const removal = isKind(collection) ? 'erase' : 'delete'
    expect(names).toEqual(
      expect.arrayContaining([
        ...['list', 'upsert'].map((verb) => verb + plural),
        ...['create', 'get', 'replace', 'update', removal].map((verb) => verb + singular),
      ]),
    )
  }
})

test('every answer of every route is as its schema says', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const [full, bare] = [await newOrganisation(), await newOrganisation()]
  await putEverything(full)
  const { key: elsewhere } = await createKey(env, full.id, 'a', 'a test', undefined, ['read'], {
    allowFrom: ['203.0.113.0/24'],
  })
  // Only credentials that may write see imports.
  await Promise.all(
    [full, bare].map(({ id }) =>
      env.DB.prepare(
        "UPDATE api_keys SET permissions = 'read,write,manage-webhooks' WHERE organisation_id = ?",
      )
        .bind(id)
        .run(),
    ),
  )
  const importId = await importEvent(full)
  const theirs = crypto.randomUUID()
  await bare.put('members', [{ id: theirs, document: {} }])

  /** A request that is answered with each status. */
  const requests: Record<string, (template: string) => Promise<Response> | Response> = {
    200: (template) => full.get(fillPath(template, full.id, undefined, importId)),
    304: async (template) => {
      const path = fillPath(template, full.id)
      const etag = (await full.get(path)).headers.get('ETag') ?? ''
      return full.get(path, { headers: { 'x-api-key': full.key, 'If-None-Match': etag } })
    },
    400: (template) => full.get(fillPath(template, full.id).replace(/\?.*|$/, '?$x=1')),
    401: (template) => request(fillPath(template, full.id)),
    403: (template) =>
      template.includes('{memberId}')
        ? full.get(template.replace('{memberId}', theirs))
        : full.get(fillPath(template, full.id), { headers: { 'x-api-key': elsewhere } }),
    404: (template) => bare.get(fillPath(template, bare.id, 'nowhere')),
    410: async (template) => {
      const { next } = await bare.json<{ next: string }>(template)
      await rows(
        'UPDATE organisations SET deletions_forgotten_to = version + 1 WHERE id = ?',
        bare.id,
      )
      return bare.get(`${template}?$after=${next}`)
    },
    429: (template) => requestBeyondLimit(fillPath(template, full.id), full.key),
    500: (template) =>
      requestWithoutDatabase(fillPath(template, full.id), full.key, 'no such table'),
    503: (template) => requestWithoutDatabase(fillPath(template, full.id), full.key, 'overloaded'),
  }

  const { paths, components } = await readDocument()
  const faultsOf = schemaValidator(components)
  for (const [template, operations] of Object.entries(paths)) {
    for (const [status, { content }] of Object.entries(operations.get?.responses ?? {})) {
      const answer = await requests[status]?.(template)
      expect([template, answer?.status]).toEqual([template, Number(status)])
      if (status === '304') {
        expect(await answer?.text()).toBe('')
        continue
      }
      const body = await answer?.json<Record<string, unknown>>()
      const schema = content?.['application/json']?.schema ?? false
      expect([template, status, faultsOf(schema, body)]).toEqual([template, status, []])
      // Only the first page of a list with query options has a total.
      for (const name of Object.keys(body ?? {}).filter((name) => name !== 'total')) {
        const { [name]: _, ...less } = body ?? {}
        expect(faultsOf(schema, less), `${template} without ${name}`).not.toEqual([])
      }
    }
  }
})

test('every list with `$select` is as its schema says', async () => {
  const organisation = await newOrganisation()
  await putEverything(organisation)
  const { paths, components } = await readDocument()
  const faultsOf = schemaValidator(components)
  let lists = 0
  for (const [template, { get }] of Object.entries(paths)) {
    if (!get?.parameters.some(({ name }) => name === '$select')) continue
    const collection = template.slice(1)
    const plain = await organisation.json<Record<string, object[]>>(template)
    const [records = []] = Object.values(plain)
    const [, property = ''] = Object.keys(records[0] ?? {})
    const selected = isKind(collection) ? '"Full Name"' : property
    const answer = await organisation.get(`${template}?$select=${selected}`)
    expect([template, answer.status]).toEqual([template, 200])
    const schema = get.responses['200']?.content?.['application/json']?.schema ?? false
    expect([template, faultsOf(schema, await answer.json())]).toEqual([template, []])
    lists++
  }
  expect(lists).toBe(11)
})

/** Imports an event and returns the id of the import. */
async function importEvent({ get, key, json }: Awaited<ReturnType<typeof newOrganisation>>) {
  await get('/imports?collection=events', {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    body: '[{"eventId":"imported"}]',
  })
  const { imports } = await json<{ imports: { importId: string }[] }>('/imports')
  return String(imports[0]?.importId)
}

/** The path to the example record or another, or to the organisation's schema. */
const fillPath = (template: string, organisationId: string, id = '$1-1', importId = id) =>
  template
    .replace('{importId}', importId)
    .replace('{organisationId}', organisationId)
    .replace('{collection}', 'events')
    .replace('{id}', '{eventId}')
    .replace(/\{(\w+)Id\}/, id)
    .replace(/\$sample$/, '$&?collection=events')
