import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { app } from '../../src/app.ts'
import { newOrganisation, request } from '../organisation.ts'

/** The paths of the routes, each with something in place of its parameters. */
const paths = [
  ...new Set(app.routes.map(({ path }) => path.replace(/:\w+/g, 'x').replaceAll('*', 'x'))),
]

test('every response says who may store it, and only open data may be stored by all', async () => {
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
        found.add(`${answer.headers.get('Cache-Control')}`)
      }
  const list = await request('/events', { headers: { 'x-api-key': key } })
  found.add(`${list.headers.get('Cache-Control')}`)
  expect(found).toEqual(new Set(['private, no-store', 'private, no-cache']))
})
