import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { app } from '../../src/app.ts'
import worker from '../../src/index.ts'
import { newOrganisation, request } from '../organisation.ts'

/** The paths of the routes, each with something in place of its parameters. */
const paths = [
  ...new Set(app.routes.map(({ path }) => path.replace(/:\w+/g, 'x').replaceAll('*', 'x'))),
]

test('every response says who may store it and what a browser may do with it', async () => {
  expect(paths.length).toBeGreaterThan(20)
  const { key } = await newOrganisation()
  const credentials = {
    Authorization: `Bearer ${key}`,
    Cookie: '__Host-session=x',
    'x-api-key': key,
  }
  const found = new Set<string>()
  for (const path of paths)
    for (const method of ['GET', 'POST', 'OPTIONS'])
      for (const headers of [{}, credentials]) {
        const answer = await app.request(
          `https://data.test${path}`,
          { method, headers: { 'CF-Connecting-IP': crypto.randomUUID(), ...headers } },
          env,
        )
        await answer.body?.cancel()
        expectBrowserHeaders(answer)
        found.add(`${answer.headers.get('Cache-Control')}`)
      }
  const list = await request('/events', { headers: { 'x-api-key': key } })
  found.add(`${list.headers.get('Cache-Control')}`)
  expect(found).toEqual(new Set(['private, no-store', 'private, no-cache']))
})

function expectBrowserHeaders({ headers }: Response): void {
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  const policy = headers.get('Content-Security-Policy')?.split('; ')
  for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
    expect(policy).toContain(directive)
  const type = headers.get('Content-Type') ?? ''
  if (type.startsWith('text/')) expect(type).toMatch(/; charset=utf-8$/i)
  if (type.startsWith('text/html')) expect(headers.get('Referrer-Policy')).toBe('no-referrer')
}

test('without TLS, pages lead to https and programs get an error', async () => {
  const open = async (url: string, method = 'GET') => {
    const answer = await worker.fetch(new Request(url, { method }), env, {} as ExecutionContext)
    await answer.body?.cancel()
    return [answer.status, answer.headers.get('Location')]
  }
  for (const path of ['/', '/docs', '/dashboard/sign-in?a=b', '/o/oak-trust/events'])
    expect(await open(`http://data.test${path}`)).toEqual([308, `https://data.test${path}`])
  expect(await open('http://data.test/dashboard/sign-out', 'POST')).toEqual([403, null])
  for (const path of ['/api/v1/members', '/odata/', '/mcp', '/healthz'])
    expect(await open(`http://data.test${path}`)).toEqual([403, null])
  for (const host of ['https://data.test', 'http://localhost:8787'])
    expect((await open(`${host}/healthz`))[0]).toBe(200)
})
