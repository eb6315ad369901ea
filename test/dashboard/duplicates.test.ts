import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import type { Field, Values } from '../../src/model/properties/schema.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { rows } from '../store/whole-index.ts'
import { newSignedIn } from './signed-in.ts'

const fields: Field[] = [
  { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
  { id: 'Email', name: 'Email', label: 'E-mail', type: 'email', order: 1 },
  { id: 'Phone', name: 'Phone', label: 'Phone', type: 'phone', order: 2 },
]

async function withMembers(members: readonly Values[], role: Role = 'editor') {
  const person = await newSignedIn(role)
  await putSchemas(env.DB, person.id, { members: { name: 'Members', fields } })
  await person.put(
    'members',
    members.map((values, index) => ({
      id: `twin-${index}`,
      document: { memberId: `twin-${index}`, ...values },
    })),
  )
  const dismissed = () =>
    rows('SELECT id, other_id FROM dismissed_duplicates WHERE organisation_id = ?', person.id)
  return { ...person, dismissed }
}

const pairs = [
  { 'Full Name': 'Ada Obi', Email: 'ada@example.org' },
  { 'Full Name': 'Ben Brown', Phone: '07700 900123' },
  { 'Full Name': 'Ada O.', Email: 'Ada@Example.org' },
  { 'Full Name': 'Benjamin Brown', Phone: '+44 7700 900123' },
]

const page = '/records/duplicates/members'

test('likely duplicates are side by side, and a dismissed pair is not suggested again', async () => {
  const { html, post, dismissed } = await withMembers(pairs)
  const before = await html(page)
  for (const text of ['Ada O.', 'Benjamin Brown', 'same e-mail address', '+44 7700 900123'])
    expect(before).toContain(text)
  expect(before).toContain('/merge?with=twin-2"')
  const answer = await post(page, [
    ['one', 'twin-2'],
    ['other', 'twin-0'],
  ])
  expect(answer.headers.get('Location')).toContain(page)
  const after = await html(page)
  expect(after).toContain('no longer suggested')
  expect(after).not.toContain('Ada O.')
  expect(after).toContain('Benjamin Brown')
  expect(await dismissed()).toEqual([{ id: 'twin-0', other_id: 'twin-2' }])
  await post(page, [
    ['one', 'twin-1'],
    ['other', 'nobody'],
  ])
  expect(await dismissed()).toHaveLength(1)
})

test('a deletion and an erasure remove dismissed pairs', async () => {
  const { post, submit, dismissed } = await withMembers(pairs, 'admin')
  for (const [one, other] of [
    ['twin-0', 'twin-2'],
    ['twin-0', 'twin-3'],
    ['twin-1', 'twin-2'],
    ['twin-1', 'twin-3'],
  ] as const)
    await post(page, [
      ['one', one],
      ['other', other],
    ])
  await submit('/records/members/twin-0/delete', {})
  expect(await dismissed()).toEqual([
    { id: 'twin-1', other_id: 'twin-2' },
    { id: 'twin-1', other_id: 'twin-3' },
  ])
  await submit('/records/members/twin-3/erase', { name: 'Benjamin Brown' })
  expect(await dismissed()).toEqual([{ id: 'twin-1', other_id: 'twin-2' }])
})

test('the list of people shows the number of pairs after the first visit, which changes no version', async () => {
  const { id, html, visit } = await withMembers(pairs)
  const version = () => rows('SELECT version FROM organisations WHERE id = ?', id)
  const before = await version()
  const context = createExecutionContext()
  const first = await visit('/records/members', {}, context)
  expect(await first.text()).not.toContain('2 likely duplicates')
  await waitOnExecutionContext(context)
  expect(await html('/records/members')).toContain('2 likely duplicates')
  expect(await version()).toEqual(before)
})

test('a merge can be undone from its notice', async () => {
  const { html, submit, post } = await withMembers(pairs)
  const answer = await submit('/records/members/twin-0/merge?with=twin-2', {})
  expect(answer.status).toBe(303)
  const [, undo = ''] =
    /action="([^"]*\/restore)"/.exec(await html('/records/members/twin-0')) ?? []
  expect(undo).toContain('/records/members/twin-2/restore')
  expect(await html(page)).not.toContain('Ada O.')
  await post('/records/members/twin-2/restore', [])
  expect(await html(page)).toContain('Ada O.')
})

test('likely duplicates are in pages', async () => {
  const { html } = await withMembers(
    Array.from({ length: 50 }, (_, index) => ({ Email: `a${index % 25}@example.org` })),
  )
  const first = await html(page)
  expect(first).toContain('1 to 20 of 25')
  expect(await html(`${page}?$offset=20`)).toContain('a24@example.org')
})

test('only people who may write see likely duplicates', async () => {
  const { visit } = await withMembers(pairs, 'reader')
  expect((await visit(page)).status).toBe(403)
  const admin = await withMembers(pairs)
  expect((await admin.visit('/records/duplicates/events')).status).toBe(404)
})
