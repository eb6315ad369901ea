import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm/sql'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Field } from '../../src/model/properties/schema.ts'
import { searchPeople } from '../../src/records/search/search-people.ts'
import { Store } from '../../src/store/store.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { newOrganisation } from '../organisation.ts'
import { rows } from '../store/whole-index.ts'

const field = (id: string, type: Field['type'] = 'text'): Field => ({
  id,
  name: id,
  label: id,
  type,
  order: 0,
})
const whole = [
  field('Full Name'),
  field('emergency.name'),
  field('Email', 'email'),
  field('Phone', 'phone'),
  field('Postcode', 'postcode'),
]
const parted = [field('First Name'), field('Last Name')]

const people = [
  {
    id: 'member-0001',
    'Full Name': 'Amara Abara',
    Email: 'amara.abara@example.org',
    Phone: '0113 496 0000',
    Postcode: 'LS11 0ES',
    '$postcode.Postcode': 'LS110ES',
  },
  { id: 'member-0002', 'Full Name': 'Jean-Luc van der Berg', Phone: '+44 7700 900123' },
  {
    id: 'member-0003',
    'Full Name': 'ADA SMITH-OBI',
    'emergency.name': 'Ben Abarca',
    Phone: '07700900777',
  },
  { id: 'member-0004', 'First Name': 'John', 'Last Name': 'Smith' },
  { id: 'member-0005', 'First Name': 'John', 'Last Name': 'Smithers' },
  { id: 'member-0006', 'First Name': 'Jane', 'Last Name': 'Smith' },
  { id: 'member-0007', 'Full Name': 'Zoë Quaye' },
  { id: 'member-0008', 'Full Name': 'Pawel Wałęsa' },
  { id: 'member-0009', 'Full Name': 'Siân Élodie Price' },
  { id: 'member-0010', 'Full Name': "Sinéad O'Brien", Phone: '447700 900-456' },
  { id: 'member-0011', 'Full Name': 'Sean O’Brien', Phone: '(020) 7946 0999' },
  { id: 'member-0012', 'Full Name': 'Mary Ann Obrien', Email: 'Mary.OBrien@Example.org' },
]

/** The store of an organisation with these members. */
async function withMembers(
  members: readonly { id: string; [field: string]: string | undefined }[],
) {
  const organisation = await newOrganisation()
  await organisation.put(
    'members',
    members.map(({ id, ...values }) => ({ id, document: { memberId: id, ...values } })),
  )
  const find = async (text: string, fields: readonly Field[] = whole, options = {}) => {
    const store = trustedStore(env.DB, organisation.id, { by: 'command line' })
    const { total, read } = await searchPeople(store, { kind: 'members', fields }, text, options)
    const ids = (await read(0, 25)).map(({ id }) => id)
    return { ids: ids.toSorted(), total, read: store.cost.rowsRead }
  }
  return { organisation, found: find }
}

const small = ['in a small collection', {}] as const
const large = ['as in a large collection', { looksUpBeginnings: true }] as const

describe.each([small, large])('a search %s finds people', (_, options) => {
  let find: Awaited<ReturnType<typeof withMembers>>['found']

  beforeAll(async () => {
    ;({ found: find } = await withMembers(people))
  })

  test.each([
    ['the beginning of a name, in any case', 'ama', ['member-0001']],
    ['another word of it', 'abar', ['member-0001']],
    ['both', 'AMARA ab', ['member-0001']],
    ['both the other way round', 'abara amara', ['member-0001']],
    ['the beginnings of both', 'am ab', ['member-0001']],
    ['a word after a hyphen', 'luc', ['member-0002']],
    ['a word in capitals', 'obi', ['member-0003']],
    ['an address', 'Amara.Abara@', ['member-0001']],
    ['a postcode in any spelling', 'ls110e', ['member-0001']],
    ['a number without its spaces', '01134960', ['member-0001']],
    ['a national telephone number', '07700 900123', ['member-0002']],
    ['a number with spaces where it has none', '07700 900 777', ['member-0003']],
    ['an id', 'member-0003', ['member-0003']],
    ['a name without its accent', 'zoe', ['member-0007']],
    ['a name without its accent, and another', 'quaye zoe', ['member-0007']],
    ['an accent that they do not have', 'paweł', ['member-0008']],
    ['a further word without its accent', 'elodie', ['member-0009']],
    ['an accent in capitals', 'SIÂN', ['member-0009']],
    ['one of two accents, beside a word', 'wałesa pawel', ['member-0008']],
    ['a capital with an accent, beside a word', 'sian elod', ['member-0009']],
    ['nothing of them', 'zzz', []],
    ['a letter alone', 'a', []],
    ['one word of theirs and another', 'amara obi', []],
    ['special characters of patterns', '%', []],
    ['a quote', '"\'', []],
  ])('by %s', async (_, text, ids) => {
    expect((await find(text, whole, options)).ids).toEqual(ids)
  })

  test('by names in separate fields', async () => {
    expect((await find('john smith', parted, options)).ids).toEqual(['member-0004', 'member-0005'])
    expect((await find('smith john', parted, options)).ids).toEqual(['member-0004', 'member-0005'])
    expect((await find('jane', parted, options)).ids).toEqual(['member-0006'])
  })
})

describe('a search finds people by any part', () => {
  let find: Awaited<ReturnType<typeof withMembers>>['found']
  const obriens = ['member-0010', 'member-0011', 'member-0012']

  beforeAll(async () => {
    ;({ found: find } = await withMembers(people))
  })

  test.each([
    ['a name without its apostrophe', 'obrien', obriens],
    ['a straight apostrophe', "o'brien", obriens],
    ['a curved apostrophe', 'O’Brien', obriens],
    ['a space instead', 'o brien', obriens],
    ['the end of a name', 'brien', obriens],
    ['the middle of a name', 'bar', ['member-0001']],
    ['a name without its space', 'maryann', ['member-0012']],
    ['a name with another space', 'jean luc vander', ['member-0002']],
    ['parts of two words', 'ead rien', ['member-0010']],
    [
      'a mobile number with its country code',
      '447700900',
      ['member-0002', 'member-0003', 'member-0010'],
    ],
    ['a plus', '+44 7700 900', ['member-0002', 'member-0003', 'member-0010']],
    [
      'a mobile number in its national form',
      '07700 900',
      ['member-0002', 'member-0003', 'member-0010'],
    ],
    ['the end of a number', '900-456', ['member-0010']],
    ['a number in brackets', '02079460', ['member-0011']],
    ['an e-mail address in other cases', 'BRIEN@example', ['member-0012']],
    ['no number of three digits', '900', []],
  ])('%s', async (_, text, ids) => {
    expect((await find(text)).ids).toEqual(ids)
  })

  test('with names in another alphabet', async () => {
    const { found } = await withMembers([{ id: 'member-0001', 'Full Name': 'Олена Коваленко' }])
    for (const text of ['олена', 'ОЛЕНА', 'валенк'])
      expect((await found(text)).ids).toEqual(['member-0001'])
  })
})

test('a search counts everyone, and lists the beginnings of words first', async () => {
  const names = ['Joanna', 'Anna', 'Susanna', 'Mary Ann', 'Hannah', 'ANN']
  const { organisation } = await withMembers(
    names.map((name, index) => ({ id: `member-${index}`, 'Full Name': name })),
  )
  const store = trustedStore(env.DB, organisation.id, { by: 'command line' })
  const { total, read } = await searchPeople(store, { kind: 'members', fields: whole }, 'ann')
  const page = async (offset: number) =>
    (await read(offset, 3)).map(({ document }) => JSON.parse(document)['Full Name'])
  expect([total, await page(0), await page(3), await page(6)]).toEqual([
    ...[6, ['Anna', 'Mary Ann', 'ANN'], ['Joanna', 'Susanna', 'Hannah'], []],
  ])
})

test('a search ignores fields that the credential may not see', async () => {
  const { organisation } = await withMembers(people)
  const find = async (text: string, hideFields: string[]) => {
    const restrictions = JSON.stringify({ hideFields })
    const access = sql`SELECT 'read' AS permissions, ${restrictions} AS restrictions`
    const store = new Store(env, {
      organisationId: organisation.id,
      database: 'DB',
      principal: 'test',
      author: { by: 'command line' },
      access,
      restrictions: null,
    })
    return (await searchPeople(store, { kind: 'members', fields: whole }, text)).total
  }
  for (const [text, field] of [
    ['obrien', 'Full Name'],
    ['900456', 'Phone'],
    ['Mary.OB', 'Email'],
    ['LS11', 'Postcode'],
  ] as const) {
    expect([text, (await find(text, [])) > 0]).toEqual([text, true])
    expect([text, await find(text, [field])]).toEqual([text, 0])
  }
})

test.each([
  ['emailaddress', 'amara@example.org', 'Amara@'],
  ['Email2', 'amara@example.org', 'amara'],
  ['E-Mail', 'amara@example.org', 'amara'],
  ['Tel (home)', '0113 496 0000', '01134960000'],
  ['Contact number', '01134960000', '0113 496'],
  ['Mobile2', '07700 900123', '+447700900123'],
  ['WhatsApp', '+44 7700 900123', '07700900123'],
  ['Known as', 'Amy', 'am'],
  ['Surname at birth', 'Abara', 'abara'],
  ['Mothers name', 'Zoë Quaye', 'zoe'],
  ['DOB', '1990-01-31', '31/1/1990'],
  ['Post Code 2', 'LS11 0ES', 'ls110e'],
])('a search finds a text in the field "%s"', async (id, value, text) => {
  const { found: find } = await withMembers([{ id: 'member-0001', [id]: value }])
  expect((await find(text, [field(id)])).ids).toEqual(['member-0001'])
})

describe('a search of 3,000 similar names reads few rows', () => {
  let find: Awaited<ReturnType<typeof withMembers>>['found']
  const manyNames = Array.from({ length: 200 }, (_, index) => field(`Name ${index}`))
  const fields = [...whole, ...parted, ...manyNames]

  beforeAll(async () => {
    ;({ found: find } = await withMembers(
      Array.from({ length: 3000 }, (_, index) => ({
        id: `member-${index}`,
        'Full Name': `Smith${index % 1500} Smithson${index}`,
        'First Name': `Smith${index % 90}`,
        'Last Name': `Smith${index % 70}`,
        Email: `ann${index}@example.org`,
        Phone: `07700 ${900_000 + index}`,
      })),
    ))
  })

  // There are 3,160 names, and the blocks of each name that matches are read.
  test.each([
    ['nobody', 0, 4000],
    ['smithson29', 111, 4800],
    ['mithson smith', 3000, 23_000],
    ['smith smithson eleonora', 0, 23_000],
    ['07700 90012', 10, 3400],
    ['ann1234@', 1, 3400],
    ['example.org', 0, 4200],
    ['member-', 3000, 14_000],
  ])('for %s', async (text, total, budget) => {
    const found = await find(text, fields)
    expect([text, found.total]).toEqual([text, total])
    expect(found.read).toBeLessThanOrEqual(budget)
  })

  test('by their beginnings in a large collection', async () => {
    for (const text of ['smith', 'smithson smithson smith', 'member-', 'alexandria eleonora x']) {
      const { ids, read } = await find(text, fields, { looksUpBeginnings: true })
      expect([text, ids.length]).toEqual([text, text.endsWith('x') ? 0 : 25])
      expect(read, text).toBeLessThanOrEqual(7500)
    }
  })
})

test('the last person with a name takes its words out of the database', async () => {
  const { organisation, found: find } = await withMembers(people)
  const words = () =>
    rows('SELECT word FROM name_words WHERE organisation_id = ? ORDER BY 1', organisation.id)
  expect(await words()).toContainEqual({ word: 'abara' })
  await organisation.put('members', [
    { id: 'member-0001', document: { memberId: 'member-0001', 'Full Name': 'Amara Okafor' } },
  ])
  expect((await find('abara')).ids).toEqual([])
  expect((await find('okafor')).ids).toEqual(['member-0001'])
  expect(await words()).not.toContainEqual({ word: 'abara' })
  await env.DB.prepare('DELETE FROM records WHERE organisation_id = ?').bind(organisation.id).run()
  expect(await words()).toEqual([])
})

test('a name of two words takes one row more to write', async () => {
  const { organisation } = await withMembers([])
  const write = async (name: string) => {
    const before = JSON.stringify({ memberId: name, 'Full Name': name })
    const { meta } = await env.DB.prepare(
      `INSERT INTO records (organisation_id, collection, id, ordinal, document, updated,
        version, first_version, created, changed)
      SELECT ?1, 'members', ?2, coalesce(max(ordinal), 0) + 1, ?3, '', 0, 0, '', ''
      FROM records WHERE organisation_id = ?1`,
    )
      .bind(organisation.id, name, before)
      .run()
    return meta.rows_written
  }
  await write('first')
  const one = await write('Amara')
  expect((await write('Amara Abara')) - one).toBe(1)
})
