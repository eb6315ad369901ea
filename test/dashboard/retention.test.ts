import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { listRules } from '../../src/store/settings/retention.ts'
import { listAudit } from '../audit.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

const path = '/settings/retention'
const rule: [string, string][] = [
  ['date', 'case-notes/date'],
  ['number', '7'],
  ['unit', 'years'],
]

const newNote = (id: string, date: string) => ({
  id,
  document: { id, content: `Note that is ${id}`, date },
})

async function newAdministrator() {
  const person = await newSignedIn('admin')
  await person.put('case-notes', [newNote('old', '1999-12-31'), newNote('new', '2999-01-01')])
  return { ...person, store: operatorStore(env.DB, person.id) }
}

test('a rule is tried out without deleting anything, set, and removed', async () => {
  const { id, email, store, json, post, html } = await newAdministrator()
  const preview = unescaped(await (await post(`${path}/preview`, rule)).text())
  expect(preview).toContain('/records/case-notes/old"')
  expect(preview).not.toContain('/records/case-notes/new"')
  expect(await json('/case-notes')).toMatchObject({ total: 2 })
  expect(await listRules(store)).toEqual([])

  expect((await post(path, rule)).status).toBe(303)
  expect(await listRules(store)).toMatchObject([
    { collection: 'case-notes', field: 'date', age: '7 years', createdBy: email },
  ])
  expect(await html(path)).toContain('7 years')
  expect((await post(`${path}/remove`, [['collection', 'case-notes']])).status).toBe(303)
  expect(await listRules(store)).toEqual([])
  expect((await listAudit(env.DB, id)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['set retention', 'removed retention']),
  )
})

test.each([
  ['date', 'case-notes/content', 'must be one of the dates'],
  ['date', 'nothing/date', 'must be one of the dates'],
  ['number', '0', 'must be a number of days, months or years'],
  ['number', '7.5', 'must be a number of days, months or years'],
  ['unit', 'weeks', 'must be one of: days, months, years.'],
])('the %s %s is rejected', async (name, value, message) => {
  const { store, post } = await newAdministrator()
  const fields = rule.map(([other, valid]): [string, string] => [
    other,
    other === name ? value : valid,
  ])
  for (const action of [path, `${path}/preview`]) {
    const response = await post(action, fields)
    expect(response.status).toBe(400)
    expect(unescaped(await response.text())).toContain(
      `<span class="error" id="field-${name}-error">${message}`,
    )
  }
  expect(await listRules(store)).toEqual([])
})

test.each(['reader', 'editor'] as const)('the role %s manages no rules', async (role) => {
  const { id, post, visit } = await newSignedIn(role)
  expect((await visit(path)).status).toBe(403)
  for (const action of [path, `${path}/preview`, `${path}/remove`])
    expect((await post(action, rule)).status).toBe(403)
  expect(await listRules(operatorStore(env.DB, id))).toEqual([])
})
