import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { app } from '../../src/app.ts'
import { FairShare, openShare } from '../../src/store/fair-share.ts'
import { newSignedIn } from '../dashboard/signed-in.ts'
import { everything } from '../examples/everything.ts'
import { createKey } from '../keys.ts'
import { newAssistantKey, send } from '../mcp/assistant.ts'
import { basic, sendOData } from '../odata/service.ts'
import { newOrganisation, request } from '../organisation.ts'

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

/** The first request of an organisation in the isolate decides how large its share is. */
const openWith = ({ key }: Organisation, path: string, bindings: Partial<Cloudflare.Env>) =>
  app.request(
    `/api/v1${path}`,
    { headers: { 'x-api-key': key } },
    { ...env, ...bindings },
    createExecutionContext(),
  )

/** An organisation that has used up its share of a row in 20 minutes. */
async function newUsedUp(organisation?: Organisation) {
  const own = organisation ?? (await newOrganisation())
  const RATE_LIMIT_POLICY = '"credential";q=100;w=60, "rows";q=1;w=1200;qu="rows"'
  expect((await openWith(own, '/events', { RATE_LIMIT_POLICY })).status).toBe(200)
  return own
}

afterEach(() => {
  vi.useRealTimers()
})

describe('an organisation that has used up its share of the database', () => {
  test('gets 429 with the reason, without a statement, until the share is back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { get } = await newUsedUp()
    const prepare = vi.spyOn(env.DB, 'prepare')
    const run = vi.spyOn(FairShare.prototype, 'run')
    const refused = await get('/events')
    expect(prepare).not.toHaveBeenCalled()
    // It waits once, not again to check the credential.
    expect(run).toHaveBeenCalledTimes(1)
    prepare.mockRestore()
    run.mockRestore()
    expect(refused.status).toBe(429)
    expect(await refused.json()).toEqual({
      type: 'RATE_LIMITED',
      message: expect.stringMatching(/^The queries of this organisation have read more rows than/),
    })
    const seconds = Number(refused.headers.get('Retry-After'))
    expect(seconds).toBeGreaterThan(60)
    expect(refused.headers.has('RateLimit')).toBe(false)
    vi.setSystemTime(Date.now() + 1000 * seconds)
    expect((await get('/events')).status).toBe(200)
  })

  test('does not make another one wait', async () => {
    await newUsedUp()
    const other = await newOrganisation()
    expect((await other.get('/events')).status).toBe(200)
  })

  test('sees it on the dashboard, and in the error formats of OData and assistants', async () => {
    const organisation = await newUsedUp()
    const { visit } = await newSignedIn('admin', organisation)
    const page = await visit('/records/events')
    expect(page.status).toBe(429)
    expect(await page.text()).toContain('more rows than its share')
    const { id, key } = organisation
    const entities = await sendOData(id, 'events', { headers: basic(key) })
    expect([entities.status, await entities.json()]).toEqual([
      429,
      { error: { code: 'RATE_LIMITED', message: expect.stringContaining('its share') } },
    ])
    expect(Number(entities.headers.get('Retry-After'))).toBeGreaterThan(60)
    expect((await send(await newAssistantKey(id), 'tools/list')).status).toBe(429)
  })

  test('is no limit for the service itself', async () => {
    const { id } = await newUsedUp()
    const store = operatorStore(env.DB, id)
    await expect(store.verify()).resolves.toBeUndefined()
  })
})

/** Charges an organisation with rows, as its statements do. */
async function charge({ id }: Organisation, rows: number, bindings: Partial<Cloudflare.Env>) {
  const share = openShare({ ...env, ...bindings }, id)
  share?.count(rows, 0)
  await share?.run(async () => {})
}

test('a download that crosses the limit is complete, while new requests are refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const organisation = await newOrganisation()
  const document = everything.forms?.document ?? {}
  const count = 1500
  await organisation.put(
    'forms',
    Array.from({ length: count }, (_, index) => ({ id: `form-${index}`, document })),
  )
  const bindings = { RATE_LIMIT_POLICY: '"rows";q=10000000;w=10000000;qu="rows"' }
  const download = await openWith(organisation, '/forms?$format=ndjson', bindings)
  await charge(organisation, 11_000_000, bindings)
  const text = download.arrayBuffer()
  expect((await organisation.get('/forms')).status).toBe(429)
  vi.setSystemTime(Date.now() + 100_000_000_000)
  expect(
    new TextDecoder()
      .decode(await text)
      .trim()
      .split('\n'),
  ).toHaveLength(count)
})

test('rows are counted in the location, which can refuse an organisation', async () => {
  const keys: string[] = []
  const LIMIT_ROWS_BY_ORGANISATION: RateLimit = {
    limit: async ({ key }) => ({ success: keys.push(key) === 1 }),
  }
  const [organisation, other] = [await newOrganisation(), await newOrganisation()]
  await charge(organisation, 99_999, { LIMIT_ROWS_BY_ORGANISATION })
  expect((await organisation.get('/forms')).status).toBe(200)
  expect(keys).toEqual([organisation.id, organisation.id])
  const refused = await organisation.get('/forms')
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '10'])
  expect((await other.get('/forms')).status).toBe(200)
})

describe('RateLimit says what remains', () => {
  test('of the requests of the credential and the rows of the organisation', async () => {
    const organisation = await newOrganisation()
    const RATE_LIMIT_POLICY = '"credential";q=100;w=60, "rows";q=1000000;w=100000000;qu="rows"'
    const open = async () =>
      (await openWith(organisation, '/events', { RATE_LIMIT_POLICY })).headers.get('RateLimit')
    expect(await open()).toMatch(/^"credential";r=99;t=60, "rows";r=9\d{5};t=\d+$/)
    expect(await open()).toMatch(/^"credential";r=98;t=\d+, "rows";r=\d+;t=\d+$/)
  })

  test('only to verified callers, and without the rows to restricted ones', async () => {
    const { id, key } = await newOrganisation()
    const restrictions = { collections: ['events'] }
    const created = await createKey(env, id, 'website', 'a test', undefined, ['read'], restrictions)
    const read = async (key: string) =>
      (await request('/events', { headers: { 'x-api-key': key } })).headers.get('RateLimit')
    expect(await read(key)).toContain('"rows";r=')
    expect(await read(created.key)).toMatch(/^"credential";r=\d+;t=\d+$/)
    expect(await read(`${key.slice(0, -1)}x`)).toBeNull()
  })
})
