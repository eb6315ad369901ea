import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { defaultPreset, findPreset, keyPresets } from '../../src/access/key-presets.ts'
import { parseRestrictions } from '../../src/access/restriction-effects.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { listKeys } from '../../src/store/settings/list-keys.ts'
import { listAudit } from '../audit.ts'
import { fields } from '../examples/people.ts'
import { changeKey, createKey } from '../keys.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

const keys = '/settings/api-keys'
const newKeys = `${keys}/new`

const powerBi: [string, string][] = [
  ['name', 'Power BI'],
  ['permissions', 'read'],
  ['collections', 'members'],
  ['collections', 'bookings'],
  ['hiddenCategories', 'email'],
  ['hiddenCategories', 'names'],
  ['hiddenFields', 'demographics.age\r\n duration \r\n'],
  ['privateNotes', 'hidden'],
  ['allowFrom', '203.0.113.0/24'],
  ['origins', 'https://www.example.org\r\nhttp://localhost:3000'],
]

const without = ['demographics.age', 'duration', 'email', 'names']

async function newAdministrator() {
  const person = await newSignedIn('admin')
  await person.schema('members', fields)
  return person
}

test('a key is created with the restrictions of the form and shown once', async () => {
  const { id, keyId, post, html } = await newAdministrator()
  const response = await post(newKeys, powerBi)
  expect([response.status, response.headers.get('Location')]).toEqual([
    303,
    `/dashboard/${id}${keys}`,
  ])
  expect(await html(keys)).toContain('Your new key')
  expect(await html(keys)).not.toContain('Your new key')
  const newKey = (await listKeys(operatorStore(env.DB, id))).find((key) => key.id !== keyId)
  expect(newKey?.permissions).toBe('read')
  expect(parseRestrictions(newKey?.restrictions ?? null)).toEqual({
    collections: ['bookings', 'members'],
    privateNotes: false,
    allowFrom: ['203.0.113.0/24'],
    hideFields: without,
    origins: ['http://localhost:3000', 'https://www.example.org'],
  })
})

test('the form for an assistant reads, without free text and private notes, and refuses writing', async () => {
  const { id, post, html } = await newAdministrator()
  const page = await html(`${newKeys}?preset=assistant`)
  for (const [name, value] of [
    ['permissions', 'read'],
    ['permissions', 'assistant'],
    ['hiddenCategories', 'free text'],
    ['privateNotes', 'hidden'],
  ])
    expect(page).toContain(`name="${name}" value="${value}" checked`)
  expect(page).not.toMatch(/name="permissions" value="(create-members|write)" checked/)
  const keysBefore = await listKeys(operatorStore(env.DB, id))
  const response = await post(newKeys, [
    ['name', 'Claude'],
    ...['read', 'assistant', 'write'].map((name): [string, string] => ['permissions', name]),
  ])
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('must be read and assistant for an assistant')
  expect(await listKeys(operatorStore(env.DB, id))).toEqual(keysBefore)
  const access = { permissions: ['read', 'assistant', 'write'], restrictions: {} }
  await expect(
    changeKey(env.DB, { organisationId: id, id: 'any', by: 'me' }, access),
  ).rejects.toThrow('its key cannot write')
})

test('a preview shows what a key will see, and the form keeps its values', async () => {
  const { id, post } = await newAdministrator()
  const keysBefore = await listKeys(operatorStore(env.DB, id))
  const page = unescaped(await (await post(`${newKeys}/preview`, powerBi)).text())
  for (const sentence of [
    'It reads members and bookings.',
    'Of members, it does not see Name, Email and Age.',
    'Of bookings, it does not see userEmail, userName and duration.',
    'It can be used from 203.0.113.0/24 only.',
  ])
    expect(page).toContain(`<li>${sentence}</li>`)
  const [members, bookings] = [...page.matchAll(/<tbody>(.*?)<\/tbody>/gs)].map(
    ([, body = '']) =>
      new Map(
        [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => {
          const [field = '', ...cells] = [...row.matchAll(/<t[hd].*?>(.*?)<\/t[hd]>/gs)].map(
            ([, cell = '']) => cell.replaceAll(/<.*?>/g, '').trim(),
          )
          return [field, cells]
        }),
      ),
  )
  expect([members?.get('Email')?.[1], members?.get('Phone')]).toEqual([
    'Hidden',
    ['07700 900123', '07700 900123'],
  ])
  expect(bookings?.get('Name')?.[1]).toBe('Hidden')
  expect(bookings?.get('Booked or came')?.[1]).toMatch(/Yes|No/)
  expect(page).toContain('value="Power BI"')
  expect(page).toMatch(/name="collections" value="bookings" checked/)
  expect(page).toMatch(/name="permissions" value="read" checked/)
  expect(page).not.toMatch(/name="permissions" value="create-members" checked/)
  expect(await listKeys(operatorStore(env.DB, id))).toEqual(keysBefore)
})

test('changing the permissions of a key shows on its page and in the audit log', async () => {
  const { id, email, keyId, post, html } = await newAdministrator()
  const path = `${keys}/${keyId}/permissions`
  expect(unescaped(await html(path))).toContain('It reads everything.')
  expect((await post(path, powerBi)).status).toBe(303)
  const page = await html(path)
  expect(page).toMatch(/name="hiddenCategories" value="names" checked/)
  expect(page).toContain('demographics.age\nduration</textarea>')
  expect(page).toContain('>203.0.113.0/24</textarea>')
  const [entry] = await listAudit(env.DB, id)
  expect(entry).toMatchObject({
    actor: email,
    action: `changed key to read; only bookings, members; no private notes; without ${without.join(', ')}; from 203.0.113.0/24; in pages of http://localhost:3000, https://www.example.org`,
    target: expect.stringContaining('test (sk_'),
  })
  await post(path, [
    ['permissions', 'read'],
    ['permissions', 'create-members'],
  ])
  const [key] = await listKeys(operatorStore(env.DB, id))
  expect(key).toMatchObject({ permissions: 'read,create-members', restrictions: null })
})

test.each([
  [[['permissions', '']], 'permissions', 'must be one or more of'],
  [
    [
      ['permissions', 'read'],
      ['hiddenFields', 'Emial'],
    ],
    'hiddenFields',
    'Emial must be a kind',
  ],
  [
    [
      ['permissions', 'read'],
      ['hiddenFields', 'eventId'],
    ],
    'hiddenFields',
    'eventId cannot be hidden, because every record requires it.',
  ],
  [
    [
      ['permissions', 'read'],
      ['allowFrom', 'office'],
    ],
    'allowFrom',
    'office must be an address',
  ],
  [
    [
      ['permissions', 'read'],
      ['origins', 'https://www.example.org/form'],
    ],
    'origins',
    'https://www.example.org/form must be the origin of a web page',
  ],
  [
    [
      ['permissions', 'read'],
      ['origins', Array.from({ length: 21 }, (_, n) => `https://${n}.example`).join('\n')],
    ],
    'origins',
    'must be at most 20.',
  ],
  [
    [
      ['permissions', 'read'],
      ['collections', 'people'],
    ],
    'collections',
    'people must be one of: members',
  ],
  [
    [
      ['permissions', 'read'],
      ['allowFrom', '::1'],
      ['allowFrom', '::2'],
    ],
    'allowFrom',
    '',
  ],
] as [[string, string][], string, string][])(
  '%j is rejected at the field %s, and the form keeps the typed values',
  async (fields, field, fault) => {
    const { id, keyId, post } = await newAdministrator()
    const keysBefore = await listKeys(operatorStore(env.DB, id))
    for (const path of [newKeys, `${newKeys}/preview`, `${keys}/${keyId}/permissions`]) {
      const response = await post(path, [['name', 'Sheets'], ...fields])
      const page = unescaped(await response.text())
      expect([path, response.status]).toEqual([path, 400])
      expect(page).toContain(`<span class="error" id="field-${field}-error">${fault}`)
    }
    expect(await listKeys(operatorStore(env.DB, id))).toEqual(keysBefore)
  },
)

test('errors of permissions appear together with other errors', async () => {
  const { post } = await newAdministrator()
  const response = await post(newKeys, [
    ['name', ''],
    ['expires', 'tomorrow'],
    ['permissions', 'read'],
    ['hiddenFields', 'Emial'],
  ])
  const page = await response.text()
  for (const field of ['name', 'expires', 'hiddenFields'])
    expect(page).toContain(`id="field-${field}-error"`)
  expect(page).toContain('Emial</textarea>')
})

test('a key expires at the end of a day in the UK, and times are shown in UK time', async () => {
  const { id, post, html } = await newAdministrator()
  expect((await post(newKeys, [...powerBi, ['expires', 'in 90 days']])).status).toBe(303)
  const key = (await listKeys(operatorStore(env.DB, id))).find(({ name }) => name === 'Power BI')
  const days = (Date.parse(key?.expires ?? '') - Date.now()) / 86_400_000
  expect([Math.round(days), key?.expires?.slice(14)]).toEqual([
    expect.toSatisfy((it: number) => it === 90 || it === 91),
    '59:00.000Z',
  ])
  await env.DB.prepare('UPDATE api_keys SET expires = ? WHERE id = ?')
    .bind('2999-07-31T22:59:00.000Z', key?.id)
    .run()
  expect(await html(`${keys}/${key?.id}`)).toContain(
    '<time datetime="2999-07-31T22:59:00.000Z">31 Jul 2999, 11:59pm</time>',
  )
})

test('a new key has by default the preset that shows no personal details, on both pages', async () => {
  const { id, keyId, post, html } = await newAdministrator()
  const [, checked] = /name="preset" value="([^"]+)" checked/.exec(await html(keys)) ?? []
  expect(checked).toBe(defaultPreset.id)
  expect((await post(keys, [['name', 'Funder']])).status).toBe(303)
  expect((await post('/connect', [['collection', 'members']])).status).toBe(303)
  const created = (await listKeys(operatorStore(env.DB, id))).filter((key) => key.id !== keyId)
  expect(created.map(findPreset)).toEqual([defaultPreset, defaultPreset])
  expect(await html(`${keys}/${created[0]?.id}`)).toContain(defaultPreset.name)
})

test.each(keyPresets)('the preset $id can be stored and is recognised', async (preset) => {
  const { id, post } = await newAdministrator()
  const form: [string, string][] = [
    ['name', 'Tool'],
    ['preset', preset.id],
    ['expires', 'never'],
  ]
  expect((await post(keys, form)).status).toBe(303)
  const key = (await listKeys(operatorStore(env.DB, id))).find(({ name }) => name === 'Tool')
  expect(key && [findPreset(key), key.expires]).toEqual([preset, null])
})

test("nobody changes another organisation's key", async () => {
  const [stranger, owner] = [await newAdministrator(), await newAdministrator()]
  const { id } = await createKey(env, owner.id, 'theirs', 'a test')
  expect((await stranger.visit(`${keys}/${id}/permissions`)).status).toBe(404)
  expect((await stranger.post(`${keys}/${id}/permissions`, [['permissions', 'read']])).status).toBe(
    404,
  )
  const theirs = (await listKeys(operatorStore(env.DB, owner.id))).find((key) => key.id === id)
  expect(theirs?.permissions).toBe('read,create-members')
})

test.each(['reader', 'editor'] as const)('the role %s creates no key on Connect', async (role) => {
  const { id, post, html } = await newSignedIn(role)
  const keysBefore = await listKeys(operatorStore(env.DB, id))
  const page = await html('/connect')
  expect(page).not.toContain('Create a key')
  expect(page).toContain('/mcp</code>')
  expect(page).not.toContain('?preset=assistant')
  expect((await post('/connect', [['collection', 'members']])).status).toBe(403)
  expect(await listKeys(operatorStore(env.DB, id))).toEqual(keysBefore)
})

test('an administrator revokes all keys, after seeing which were used when', async () => {
  const { id, key, get, post, html } = await newAdministrator()
  await createKey(env, id, 'Excel <1>', 'a test')
  expect((await get('/events')).status).toBe(200)
  expect(await html(keys)).toContain(`href="/dashboard/${id}${keys}/revoke-all"`)
  const page = await html(`${keys}/revoke-all`)
  expect(page).toContain(`${key.slice(0, 8)}…`)
  expect(page).toContain('Excel &lt;1&gt;')
  expect(page).toContain('last used: never')
  expect(page).toContain('Revoke 2 keys')
  expect((await post(`${keys}/revoke-all`, [])).status).toBe(303)
  expect(await html(keys)).toContain('2 keys were revoked.')
  expect((await get('/events')).status).toBe(401)
  expect(await html(keys)).not.toContain('revoke-all')
})
