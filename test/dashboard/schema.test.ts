import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { organisationSchemas } from '../../src/admin/organisation/schemas.ts'
import type { Field } from '../../src/model/properties/schema.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { putSchemas, readSchemas } from '../../src/store/settings/schemas.ts'
import { listAudit } from '../audit.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

const path = '/settings/schema/members'
const fieldDefinitions = [
  { id: 'Full Name', type: 'text' },
  { id: 'Age', type: 'text' },
  { id: 'Size', type: 'select', options: ['S', 'M', { value: 'L', label: 'Large' }] },
  { id: 'Home', type: 'postcode' },
]

/** A person signed in to an organisation with such members, and its stored records. */
async function withMembers(
  values: object[] = [],
  fields: object[] = fieldDefinitions,
  role?: Role,
) {
  const person = await newSignedIn(role)
  const { data } = parseSchema('members', { fields })
  if (data) await putSchemas(env.DB, person.id, { members: data })
  await person.put(
    'members',
    values.map((value, n) => ({ id: `m-${n}`, document: { memberId: `m-${n}`, ...value } })),
  )
  const field = async (id: string): Promise<Field | undefined> =>
    (await readSchemas(env.DB, person.id)).members?.fields.find((field) => field.id === id)
  /** The ids of the schema's own fields, in order. */
  const ids = async () =>
    (await readSchemas(env.DB, person.id)).members?.fields
      .map(({ id }) => id)
      .filter((id) => !id.startsWith('Home.'))
  const findValues = async (query: string) =>
    (await person.json<{ members: unknown[] }>(`/members?${query}`)).members.length
  return { ...person, field, ids, findValues }
}

const edit = (id: string) => `${path}/field?${new URLSearchParams({ id })}`
const retirement = (id: string) => `${path}/retire?${new URLSearchParams({ id })}`

/** The fields that a confirmation page's form would send. */
const confirmation = (html: string): [string, string][] => {
  const [form = ''] = /<form method="post"(?:(?!<\/form>).)*\$misfits.*?<\/form>/s.exec(html) ?? []
  return [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    unescaped(value),
  ])
}

test('everyone reads the schema, and only administrators change it', async () => {
  for (const role of ['reader', 'editor'] as const) {
    const { html, visit, field } = await withMembers([], fieldDefinitions, role)
    const page = await html(path)
    expect(page).toContain('Full Name')
    expect(page).toContain('Large')
    expect(page).not.toContain('Retire')
    expect(await html('/reports')).toContain('/settings/schema')
    for (const act of ['/new', '/field?id=Age', '/retire?id=Age']) {
      expect([act, (await visit(path + act)).status]).toEqual([act, 403])
      const posted = await visit(path + act, { method: 'POST', body: new URLSearchParams() })
      expect([act, posted.status]).toEqual([act, 403])
    }
    expect(await field('Age')).toBeDefined()
  }
  const { html, visit } = await withMembers()
  expect(await html(path)).toContain('Actions for Age')
  expect(await html('/settings/schema/partners')).toContain('There are no fields yet')
  expect((await visit('/settings/schema/nobody')).status).toBe(404)
  expect((await visit(edit('Nothing'))).status).toBe(404)
})

test('a field is added at its position, in forms and in the API', async () => {
  const { submit, visit, html, ids, field, id, json } = await withMembers()
  const answer = await submit(`${path}/new`, {
    label: 'Shoes',
    type: 'multipleSelect',
    after: 'Full Name',
    options: 'low\r\nhigh | With heels\r\n\r\n',
  })
  expect([answer.status, answer.headers.get('Location')]).toEqual([
    303,
    expect.stringContaining(path),
  ])
  expect(await html(path)).toContain('Shoes was added.')
  expect(await ids()).toEqual(['Full Name', 'Shoes', 'Age', 'Size', 'Home'])
  const options = [
    { value: 'low', label: 'low' },
    { value: 'high', label: 'With heels' },
  ]
  expect(await field('Shoes')).toMatchObject({ name: 'Shoes', label: 'Shoes', options, order: 1 })
  const served = await json<{ fields: Field[] }>(`/schemas/${id}`)
  expect(served.fields[1]).toMatchObject({ id: 'Shoes', type: 'multipleSelect' })
  expect(await html('/records/new/members')).toContain('With heels')
  await submit(`${path}/new`, { label: 'Flat', id: 'flat', after: '', type: 'postcode' })
  expect(await field('flat.ward')).toMatchObject({ label: 'Flat: Ward' })
  const actions = (await listAudit(env.DB, id)).map(({ action, target }) => [action, target])
  expect(actions.slice(0, 2)).toEqual([
    ['added field', 'members: Flat'],
    ['added field', 'members: Shoes'],
  ])
  expect((await visit('/settings/schema/partners/new')).status).toBe(200)
  await submit('/settings/schema/partners/new', { label: 'Name' })
  expect((await readSchemas(env.DB, id)).partners?.fields).toMatchObject([{ id: 'Name' }])
})

test('label, position and options change, and the id stays', async () => {
  const { submit, ids, field } = await withMembers([{ Size: 'L', Age: '7' }])
  expect((await submit(edit('Size'), { label: 'T-shirt', after: '' })).status).toBe(303)
  expect(await ids()).toEqual(['Size', 'Full Name', 'Age', 'Home'])
  const options = [{ value: 'S' }, { value: 'M' }, { value: 'L', label: 'Large' }]
  expect(await field('Size')).toMatchObject({ name: 'Size', label: 'T-shirt', options })
})

test.each([
  ['/new', { label: '' }, 'label'],
  ['/new', { label: 'Age' }, 'id'],
  ['/new', { label: 'Money', id: '$money' }, 'id'],
  ['/new', { label: 'Money', id: 'limit' }, 'id'],
  ['/new', { label: 'Money', type: 'coin' }, 'type'],
  ['/field?id=Age', { label: '' }, 'label'],
])(
  '%s with %j is rejected at the field, and the form keeps the typed values',
  async (page, filled, name) => {
    const { submit, ids } = await withMembers()
    const options = 'typed <b>\n"here"'
    const answer = await submit(path + page, { ...filled, options })
    const html = await answer.text()
    expect(answer.status).toBe(400)
    expect(html).toContain(`id="field-${name}-error"`)
    expect(html).toContain('typed &lt;b&gt;\n&quot;here&quot;')
    expect(await ids()).toHaveLength(4)
  },
)

test('a concurrent change is shown rather than overwritten', async () => {
  const { submit, field } = await withMembers()
  const refused = await submit(edit('Age'), { label: 'Years' }, () =>
    submit(edit('Age'), { label: 'Age in years', type: 'number' }),
  )
  const html = await refused.text()
  expect(refused.status).toBe(412)
  expect(html).toContain('Somebody else changed this to: Age in years')
  expect(html).toContain('value="Years"')
  expect(await field('Age')).toMatchObject({ label: 'Age in years', type: 'number' })
  const late = await submit(retirement('Age'), {}, () => submit(edit('Age'), { label: 'Years' }))
  expect([late.status, (await field('Age'))?.label]).toEqual([412, 'Years'])
})

test('values that do not fit another type are listed first, and removed only after confirmation', async () => {
  const ages = ['7', 'seven', 'seven', 'eight', undefined]
  const person = await withMembers(ages.map((Age) => ({ 'Full Name': 'Ada', ...(Age && { Age }) })))
  const { submit, post, html, field, findValues, put } = person
  const confirmationPage = await submit(edit('Age'), { type: 'number', label: 'Years' })
  const page = await confirmationPage.text()
  expect(confirmationPage.status).toBe(200)
  expect(page).toContain('4 members have a value that does not fit the new type.')
  expect(page).toContain('class="button danger">Save, and remove these values from 4 members<')
  expect(page).toMatch(/seven<\/span><\/th><td class="number">2<\/td>/)
  expect(page).toContain(`/records/members/m-1"`)
  expect([(await field('Age'))?.type, await findValues('Age=seven')]).toEqual(['text', 2])

  await put('members', [{ id: 'm-9', document: { memberId: 'm-9', Age: 'nine' } }])
  const secondPage = await post(`${path}/field`, confirmation(page))
  const more = await secondPage.text()
  expect(more).toContain('5 members have a value that does not fit the new type.')
  expect((await field('Age'))?.type).toBe('text')
  const saved = await post(`${path}/field`, confirmation(more))
  expect(saved.status).toBe(303)
  expect(await field('Age')).toMatchObject({ type: 'number', label: 'Years' })
  expect([await findValues('Age=seven'), await findValues('Full Name=Ada')]).toEqual([0, 5])
  expect(await html('/records/members/m-1')).toContain('Ada')
  expect((await submit(edit('Age'), { type: 'text' })).status).toBe(303)
})

test('removing an option shows a warning, and people keep its value', async () => {
  const person = await withMembers([{ Size: 'S' }, { Size: 'L' }, { Size: 'L' }, { Size: 'XL' }])
  const { submit, post, html, field, findValues } = person
  const page = await (await submit(edit('Size'), { options: 'S\nM' })).text()
  expect(page).toContain('2 members have an option that you are removing.')
  expect((await field('Size'))?.options).toHaveLength(3)
  expect((await post(`${path}/field`, confirmation(page))).status).toBe(303)
  expect((await field('Size'))?.options).toHaveLength(2)
  expect(await findValues('Size=L')).toBe(2)
  expect(await html('/records/members/m-1')).toContain('Size')
})

test('a field is retired with its values and areas after confirmation', async () => {
  const { submit, html, ids, findValues, json } = await withMembers([
    { Home: 'LS11 0ES', 'Home.ward': 'Beeston', Age: '7' },
    { Home: 'E1 6AN' },
  ])
  const page = await html(retirement('Home'))
  expect(page).toContain('2 members have a value in this field.')
  expect(page).toContain('areas')
  const { next } = await json<{ next: string }>('/changes?$after=latest')
  expect((await submit(retirement('Home'), { $misfits: '[]' })).status).toBe(412)
  expect((await submit(retirement('Home'), {})).status).toBe(303)
  expect(await ids()).toEqual(['Full Name', 'Age', 'Size'])
  expect([await findValues('Home.ward=Beeston'), await findValues('Age=7')]).toEqual([0, 1])
  const { changes } = await json<{ changes: object[] }>(`/changes?$after=${next}`)
  expect(changes).toHaveLength(2)
  expect(await html(retirement('Size'))).toContain('Nobody has a value in this field.')
  expect((await submit(retirement('Size'), {})).status).toBe(303)
})

test('a person deleted while a field is retired stays deleted', async () => {
  const { id, ids } = await withMembers([{ Age: '40' }, { Age: '41' }])
  const store = operatorStore(env.DB, id)
  const { members: before } = await readSchemas(env.DB, id)
  if (!before) throw new Error('There is no schema.')
  const next = { ...before, fields: before.fields.filter((field) => field.id !== 'Age') }
  const audit = { action: 'field.retired', target: 'Age' } as const
  const change = { kind: 'members' as const, before, next, audit }
  const DB: D1Database = Object.create(env.DB, {
    prepare: { value: env.DB.prepare.bind(env.DB) },
    batch: {
      async value(statements: D1PreparedStatement[]) {
        await env.DB.prepare('DELETE FROM records WHERE organisation_id = ? AND id = ?')
          .bind(id, 'm-0')
          .run()
        return env.DB.batch(statements)
      },
    },
  })
  const examined = await organisationSchemas({ bindings: env, store }).check(change)
  const schemas = organisationSchemas({ bindings: { ...env, DB }, store: operatorStore(DB, id) })
  expect(await schemas.change(change, examined)).toBe(false)
  const left = await env.DB.prepare('SELECT id FROM records WHERE organisation_id = ?')
    .bind(id)
    .all()
  expect(left.results).toEqual([{ id: 'm-1' }])
  expect(await ids()).toContain('Age')
})

test('a field with duplicate values cannot become unique, and at most 250 people lose a value at once', async () => {
  const people = Array.from({ length: 251 }, (_, n) => ({ Age: String(n % 250) }))
  const { submit, post, html, field } = await withMembers(people)
  const shared = await (await submit(edit('Age'), { type: 'uniqueId' })).text()
  expect(shared).toContain('2 members have a value that somebody else has too.')
  expect(shared).toContain('Correct these records first')
  expect(confirmation(shared)).toEqual([])
  const page = await html(retirement('Age'))
  expect(page).toContain('251 members have a value in this field.')
  expect(page).toContain('--drop-values')
  expect(confirmation(page)).toEqual([])
  const version = /name="\$version" value="(\w+)"/.exec(await html(edit('Age')))?.[1] ?? ''
  const forced = await post(`${path}/retire`, [
    ['$id', 'Age'],
    ['$version', version],
    ['$misfits', '[["Age","gone",251]]'],
  ])
  expect([forced.status, (await field('Age'))?.type]).toEqual([409, 'text'])
})

test.each(['a"b', 'a\\b', 'a.b', "a'b", 'a[0]', 'Zoë & <i>', 'a?b=c#d', '..'])(
  'a field may be called %s',
  async (id) => {
    const { html, submit, ids, findValues } = await withMembers(
      [{ [id]: 'x' }],
      [
        { id: 'Full Name', type: 'text' },
        { id, type: 'text' },
      ],
    )
    expect(await html(retirement(id))).toContain('1 member has a value in this field.')
    expect((await submit(edit(id), { label: 'Another' })).status).toBe(303)
    expect((await submit(retirement(id), {})).status).toBe(303)
    expect([await ids(), await findValues(String(new URLSearchParams({ [id]: 'x' })))]).toEqual([
      ['Full Name'],
      0,
    ])
  },
)
