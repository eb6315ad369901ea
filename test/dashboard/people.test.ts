import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { listUsers } from '../../src/admin/users.ts'
import { listAudit } from '../audit.ts'
import { newPerson } from '../auth/identity.ts'
import { request } from '../organisation.ts'
import { newSignedIn } from './signed-in.ts'

const people = '/settings/people'

const rolesIn = async (id: string) =>
  new Map((await listUsers(env.DB, id)).map(({ email, role }) => [email, role]))

const alert = async (answer: Response) =>
  /<p role="alert">(.*?)<\/p>/.exec(await answer.text())?.[1] ?? ''

const faultOfEmail = async (answer: Response) =>
  /id="field-email-error">(.*?)<\/span>/.exec(await answer.text())?.[1] ?? ''

test('an administrator adds people, changes their roles and removes them, and the audit log records it', async () => {
  const { id, email, post, html } = await newSignedIn('admin')
  const added = newPerson().email
  expect(
    (
      await post(people, [
        ['email', added],
        ['role', 'reader'],
      ])
    ).status,
  ).toBe(303)
  expect((await rolesIn(id)).get(added)).toBe('reader')
  expect(await html(people)).toContain(`<div class="notice"><p>${added} was added.</p>`)
  expect(await html(people)).not.toContain('class="notice"')
  const repeated = await post(people, [
    ['email', added.toUpperCase()],
    ['role', 'admin'],
  ])
  expect([repeated.status, await faultOfEmail(repeated)]).toEqual([
    409,
    `${added} belongs to the organisation already.`,
  ])
  expect(
    (
      await post(`${people}/role`, [
        ['email', added],
        ['role', 'editor'],
      ])
    ).status,
  ).toBe(303)
  expect((await rolesIn(id)).get(added)).toBe('editor')
  const confirmation = await post(`${people}/remove/confirm`, [['email', added]])
  expect(await confirmation.text()).toContain(`Remove <strong>${added}</strong>?`)
  expect((await rolesIn(id)).has(added)).toBe(true)
  expect((await post(`${people}/remove`, [['email', added]])).status).toBe(303)
  expect((await rolesIn(id)).has(added)).toBe(false)
  const actions = (await listAudit(env.DB, id)).map(({ actor, action, target }) => [
    actor,
    action,
    target,
  ])
  expect(actions.slice(0, 3)).toEqual([
    [email, 'removed user', added],
    [email, 'made user editor', added],
    [email, 'added user as reader', added],
  ])
})

test('an administrator ends the sessions of a person, and a removal does', async () => {
  const administrator = await newSignedIn('admin')
  for (const [action, target] of [
    ['sign-out', 'signed out user'],
    ['remove', 'removed user'],
  ]) {
    const person = await newSignedIn('reader', administrator)
    expect((await person.visit('/reports')).status).toBe(200)
    const answer = await administrator.post(`${people}/${action}`, [['email', person.email]])
    expect(answer.status).toBe(303)
    expect((await person.visit('/reports')).headers.get('Location')).toBe('/dashboard/sign-in')
    const [last] = await listAudit(env.DB, administrator.id)
    expect(last).toMatchObject({ action: target, target: person.email })
  }
  expect((await administrator.visit(people)).status).toBe(200)
})

test('the last administrator cannot be removed, and failed actions are not in the audit log', async () => {
  const { id, email, post, add } = await newSignedIn('admin')
  const editor = newPerson().email
  await add(editor, 'editor')
  const peopleBefore = await listAudit(env.DB, id)
  for (const [path, fields] of [
    [`${people}/remove`, [['email', email]]],
    [
      `${people}/role`,
      [
        ['email', email],
        ['role', 'editor'],
      ],
    ],
  ] as [string, [string, string][]][]) {
    const answer = await post(path, fields)
    expect([answer.status, await alert(answer)]).toEqual([
      409,
      expect.stringContaining('is the last administrator'),
    ])
  }
  expect(await rolesIn(id)).toEqual(
    new Map([
      [email, 'admin'],
      [editor, 'editor'],
    ]),
  )
  expect(await listAudit(env.DB, id)).toEqual(peopleBefore)
  const next = newPerson().email
  await post(people, [
    ['email', next],
    ['role', 'admin'],
  ])
  expect(
    (
      await post(`${people}/role`, [
        ['email', email],
        ['role', 'reader'],
      ])
    ).status,
  ).toBe(303)
  expect(await rolesIn(id)).toEqual(
    new Map([
      [email, 'reader'],
      [editor, 'editor'],
      [next, 'admin'],
    ]),
  )
})

test('when two administrators remove each other at once, one stays', async () => {
  const one = await newSignedIn('admin')
  const other = await newSignedIn('admin', one)
  const answers = await Promise.all([
    one.post(`${people}/remove`, [['email', other.email]]),
    other.post(`${people}/remove`, [['email', one.email]]),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect((await rolesIn(one.id)).size).toBe(1)
})

test('an invalid address or role is rejected', async () => {
  const { id, email, post } = await newSignedIn('admin')
  const bad = await post(people, [
    ['email', 'Zoë'],
    ['role', 'admin'],
  ])
  expect([bad.status, await faultOfEmail(bad)]).toEqual([
    400,
    expect.stringContaining('E-mail: must be'),
  ])
  expect(
    (
      await post(`${people}/role`, [
        ['email', email],
        ['role', 'member'],
      ])
    ).status,
  ).toBe(400)
  expect(
    (
      await post(`${people}/role`, [
        ['email', 'nobody@x.test'],
        ['role', 'admin'],
      ])
    ).status,
  ).toBe(409)
  expect((await rolesIn(id)).size).toBe(1)
})

test.each(['reader', 'editor'] as const)(
  '%s sees no settings but the schema, and can do nothing with them',
  async (role) => {
    const { id, email, visit, post, html } = await newSignedIn(role)
    const page = await html('/reports')
    expect(page).toContain('Reports')
    expect(page).not.toContain('/settings/api-keys')
    const settings = await html('/settings/schema/members')
    for (const other of ['For engineers', 'People with access'])
      expect(settings).not.toContain(`>${other}</a>`)
    for (const path of [people, '/settings/api-keys', '/settings/api-keys/x/permissions'])
      expect((await visit(path)).status).toBe(403)
    for (const path of [
      people,
      `${people}/role`,
      `${people}/remove/confirm`,
      '/settings/api-keys',
      '/settings/api-keys/preview',
    ])
      expect(
        (
          await post(path, [
            ['email', email],
            ['role', 'admin'],
            ['name', 'x'],
          ])
        ).status,
      ).toBe(403)
    expect((await rolesIn(id)).get(email)).toBe(role)
  },
)

test.each([
  ['reader', 403],
  ['editor', 201],
  ['admin', 201],
] as const)('with a token, a %s who creates is answered %i', async (role, status) => {
  const { id, add } = await newSignedIn('admin')
  const person = newPerson()
  await add(person.email, role)
  const answer = await request(`/events?organisationId=${id}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await person.token()}`,
      'Content-Type': 'application/json',
    },
    body: '{"name":"Open day"}',
  })
  expect(answer.status).toBe(status)
})
