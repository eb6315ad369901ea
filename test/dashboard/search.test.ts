import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Field, Kind } from '../../src/model/properties/schema.ts'
import { kindNames, kinds } from '../../src/model/properties/schema.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { newSignedIn } from './signed-in.ts'

const fields: Field[] = [
  { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
  { id: 'Phone', name: 'Phone', label: 'Phone', type: 'phone', order: 1 },
]

/** Signs somebody in to an organisation with people of each kind. */
async function withPeople(names: Partial<Record<Kind, readonly string[]>>) {
  const person = await newSignedIn('reader')
  const schema = { name: 'Schema', fields }
  await putSchemas(env.DB, person.id, Object.fromEntries(kindNames.map((kind) => [kind, schema])))
  for (const kind of kindNames)
    await person.put(
      kind,
      (names[kind] ?? []).map((name, index) => ({
        id: `${kind}-${index}`,
        document: {
          [kinds[kind].id]: `${kind}-${index}`,
          'Full Name': name,
          Phone: '07700 900123',
        },
      })),
    )
  const search = async (query: string) => {
    const page = await person.html(`/records/search?${query}`)
    return {
      page,
      links: [...page.matchAll(/<th scope="row"><a href="[^"]*">([^<]*)</g)].map(
        ([, name]) => name,
      ),
    }
  }
  return { ...person, search }
}

test('a search finds people of every kind, with their number', async () => {
  const { search } = await withPeople({
    members: ['Una O’Brien', 'Ada Obi'],
    volunteers: ['Ben Obrien'],
    partners: ['Cleo Brown'],
  })
  const { page, links } = await search('q=obrien')
  expect(links).toEqual(['Una O’Brien', 'Ben Obrien'])
  expect(page).toContain('2 people')
  expect(page).toContain('Members <span>1</span>')
  expect((await search('q=obrien&kind=volunteers')).links).toEqual(['Ben Obrien'])
  expect((await search('q=447700')).page).toContain('4 people')
  expect((await search('q=zzz')).page).toContain('Nobody matches.')
  expect((await search('q=%27')).links).toEqual([])
})

test('a search has all results in pages', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `Ada ${index}`)
  const { search } = await withPeople({ members: names(60), volunteers: names(60) })
  const first = await search('q=ada')
  expect(first.links).toHaveLength(50)
  expect(first.page).toContain('1 to 50 of 120')
  const others = await Promise.all([50, 100, 150].map((from) => search(`q=ada&$offset=${from}`)))
  expect(others.map(({ links }) => links.length)).toEqual([50, 20, 0])
  expect(others[0]?.links.slice(8, 12)).toEqual(['Ada 58', 'Ada 59', 'Ada 0', 'Ada 1'])
  expect(others[1]?.page).toContain('rel="prev"')
  expect(others[1]?.page).not.toContain('rel="next"')
})
