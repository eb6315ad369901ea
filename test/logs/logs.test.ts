import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { token } from '../auth/identity.ts'
import { personOf } from '../examples/people.ts'
import { base, newOrganisation, request } from '../organisation.ts'
import { findLeaks, textsIn } from './leaks.ts'
import { takeRecorded } from './watch.ts'

test.each([
  ['a value of an example', () => 'Ada Obi came'],
  ['a phone number of an example', () => '{"cause":"07700900123"}'],
  ['a key', () => `refused ${generateApiKey()}`],
  ['more of a key than is shown of it', () => generateApiKey().slice(0, 9)],
  ['a token', token],
  ['a query string', () => 'GET /members?Town=Leeds 200'],
  ['a private link', () => `GET /o/oak-trust/bookings/${'0a'.repeat(32)} 200`],
  ['what a request texts', () => 'no member has Town=Leeds'],
])('a line with %s is found', async (_, write) => {
  const line = await write()
  const texts = [...textsIn(personOf('memberId', 'm1')), 'Town=Leeds']
  expect(findLeaks(['nothing', line], texts)).toEqual([line])
})

test('a line with the shown part of a key, or a word, is not', () => {
  const lines = [generateApiKey().slice(0, 8), 'at disbursements (src/members.ts:12:7)', 'PAID 200']
  expect(findLeaks(lines, textsIn(['PAID', 'disbursements']))).toEqual([])
})

test('every line is seen, also a muted one, and what every request texts', async () => {
  takeRecorded()
  // On a busy machine, an ordinary request would be slow.
  vi.useFakeTimers({ toFake: ['Date'] })
  const muted = vi.spyOn(console, 'error').mockImplementation(() => {})
  console.error('muted', new Error('its message'))
  expect(muted).toHaveBeenCalledOnce()
  muted.mockRestore()
  const { key } = await newOrganisation()
  const headers = { 'x-api-key': key }
  await request('/events?name=One%20Name', { headers })
  await app.request(`${base}/events?name=Another%20Name`, {}, env)
  vi.useRealTimers()
  const { lines, texts } = takeRecorded()
  expect(lines).toEqual([
    expect.stringMatching(/^muted Error: its message/),
    expect.stringContaining('"status":401'),
  ])
  for (const text of ['name=One%20Name', 'One Name', key, 'Another Name'])
    expect(texts).toContain(text)
})
