import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { categoryProperties, fieldCategories } from '../../src/access/field-categories.ts'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { compileRecord } from '../../src/model/properties/compile.ts'
import type { RecordProperties } from '../../src/model/record-properties.ts'
import { references } from '../../src/model/references.ts'
import { findNearest } from '../../src/model/spelling.ts'
import { collections } from '../../src/resources/collections.ts'
import { putEverything } from '../examples/everything.ts'
import { fields } from '../examples/people.ts'
import { createKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'

const organisation = await newOrganisation()
await putEverything(organisation)

/** Returns a function that reads a path with a key that has these restrictions. */
async function restrict(restrictions: Restrictions, { id, get } = organisation) {
  const { key } = await createKey(
    env,
    id,
    'restricted',
    'a test',
    undefined,
    ['read'],
    restrictions,
  )
  return async (path: string) => {
    const response = await get(path, { headers: { 'x-api-key': key } })
    return [response.status, await response.text()]
  }
}

const query = (option: string, text: string) => `${new URLSearchParams({ [option]: text })}`
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The response to a name among these visible ones, of which it is none. */
function refusal(option: string, name: string, visible: Iterable<string>) {
  const message = `${option}: There is no field "${name}". Did you mean "${findNearest(name, visible)}"?`
  return [400, JSON.stringify({ type: 'BAD_REQUEST', message })]
}

const leavesOf = (record: RecordProperties) =>
  compileRecord(record).leaves.flatMap(({ name, type }) => (type === 'objects' ? [] : [name]))

/** The collections with their ids and their names for conditions and for selections. */
const structured = await Promise.all(
  Object.entries(collections).map(async ([name, load]) => {
    const { collection } = await load()
    const { id, record, item = record } = collection
    const selectable = [...compileRecord(item).names].filter((it) => !it.startsWith('profile.'))
    return { name, id, names: leavesOf(record), selectable }
  }),
)

/** Expects that every option refuses hidden names like unknown ones. */
async function expectUnknown(
  read: Awaited<ReturnType<typeof restrict>>,
  { name: collection, names, selectable }: (typeof structured)[number],
  hidden: ReadonlySet<string>,
) {
  const visible = names.filter((name) => !hidden.has(name))
  for (const name of hidden) {
    const path = `/${collection}?$count=true&`
    expect(await read(path + query('$filter', `${quote(name)} eq null`))).toEqual(
      refusal('$filter', name, visible),
    )
    expect(await read(path + query('$orderby', `${quote(name)} desc`))).toEqual(
      refusal('$orderby', name, visible),
    )
    const shown = selectable.filter((it) => !hidden.has(it))
    expect(await read(path + query('$select', quote(name)))).toEqual(
      refusal('$select', name, shown),
    )
  }
}

test.each(structured)('hidden properties of $name are unknown in every option', async (it) => {
  const hideable = it.names.filter((name) => name !== it.id)
  for (const parity of [0, 1]) {
    const hidden = hideable.filter((_, index) => index % 2 === parity)
    await expectUnknown(await restrict({ hideFields: hidden }), it, new Set(hidden))
  }
})

test.each(fieldCategories)(
  'properties hidden as %s are unknown in every option',
  async (category) => {
    const read = await restrict({ hideFields: [category] })
    for (const it of structured) {
      const hidden = categoryProperties[category][it.name] ?? []
      await expectUnknown(read, it, new Set(hidden.filter((name) => it.names.includes(name))))
    }
  },
)

test('hidden fields of people answer like those of a schema without them', async () => {
  const hidden = ['Email', 'demographics.age', 'views']
  const without = await newOrganisation(fields.filter(({ id }) => !hidden.includes(id)))
  const [restricted, unrestricted] = [
    await restrict({ hideFields: hidden }),
    await restrict({}, without),
  ]
  for (const name of hidden) {
    for (const kind of ['members', 'volunteers', 'partners']) {
      for (const options of [
        query('$filter', `${quote(name)} ne null`),
        query('$filter', `contains(${quote(name)},'a') or memberId eq 'x'`),
        query('$orderby', quote(name)),
        query('$select', quote(name)),
      ]) {
        const [answer, expected] = [
          await restricted(`/${kind}?${options}`),
          await unrestricted(`/${kind}?${options}`),
        ]
        expect([options, answer]).toEqual([options, expected])
        expect(answer[0]).toBe(400)
      }
    }
    const path = `/bookings?${query('$filter', `${quote(`member.${name}`)} ne null`)}`
    expect(await restricted(path)).toEqual(await unrestricted(path))
  }
})

test('a reference is unknown if its collection or its property is hidden', async () => {
  for (const { from, path, to, name } of references) {
    const referring = structured.find((it) => it.name === from)
    const referred = structured.find((it) => it.name === to)
    if (!name || !referring || !referred) continue
    const field = referred.names.at(-1) ?? ''
    const filter = query('$filter', `${name}.${field} ne null`)
    for (const restrictions of [{ collections: [from] }, { hideFields: [path] }]) {
      const read = await restrict(restrictions)
      const visible = referring.names.filter((it) => it !== path)
      const names = 'hideFields' in restrictions ? visible : referring.names
      expect(await read(`/${from}?${filter}`)).toEqual(
        refusal('$filter', `${name}.${field}`, names),
      )
      const [status, text] = await read(`/${from}?$expand=${name}`)
      const [, unknown] = await read(`/${from}?$expand=${'x'.repeat(name.length)}`)
      expect([status, text]).toEqual([400, String(unknown).replace(/x{4,}/, name)])
    }
  }
})

test('a token of a key with other restrictions is refused', async () => {
  const path = '/members?$skiptoken=start&limit=1'
  const other = { id: 'm-2', document: { memberId: 'm-2' } }
  await organisation.put('members', [other])
  const [whole, part] = [await restrict({}), await restrict({ hideFields: ['Email'] })]
  const { next } = JSON.parse(String((await whole(path))[1]))
  const address = next.replace('/api/v1', '')
  expect((await whole(address))[0]).toBe(200)
  expect((await part(address))[0]).toBe(400)
})
