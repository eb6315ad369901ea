import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { Field, Values } from '../../src/model/properties/schema.ts'
import { findLikelyDuplicatesOf, findLikelyPairs } from '../../src/records/search/duplicates.ts'
import type { Store } from '../../src/store/store.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { newOrganisation } from '../organisation.ts'

const field = (id: string, type: Field['type'] = 'text'): Field => ({
  id,
  name: id,
  label: id,
  type,
  order: 0,
})
const usual = [
  field('Full Name'),
  field('Email', 'email'),
  field('Phone', 'phone'),
  field('Mobile', 'phone'),
  field('Date of Birth', 'date'),
  field('Carer phone', 'phone'),
]
const members = { kind: 'members', fields: usual } as const

async function openWith(people: readonly Values[]) {
  const organisation = await newOrganisation()
  await organisation.put(
    'members',
    people.map((person, index) => ({
      id: `m${index + 1}`,
      document: { memberId: `m${index + 1}`, ...person },
    })),
  )
  return trustedStore(env.DB, organisation.id, { by: 'command line' })
}

const people = [
  { 'Full Name': "Síle O'Brien", 'Date of Birth': '1990-01-31', Email: 'Sile@example.org' },
  { 'Full Name': 'Amara Abara', Phone: '020 7946 0000', 'Carer phone': '07700 900555' },
  { 'Full Name': 'Ben Obi', Mobile: '+44 7700 900123', 'Date of Birth': '1980-05-05' },
]

/** Finds each new person alone, and all of them among more than are looked up. */
async function findBothWays(store: Store, person: Values, fields = usual) {
  const kind = { kind: 'members', fields } as const
  const [alone] = await findLikelyDuplicatesOf(store, kind, [person])
  const many = Array.from({ length: 30 }, () => person)
  expect((await findLikelyDuplicatesOf(store, kind, many)).at(-1)).toEqual(alone)
  return alone?.map(({ id, same }) => `${id}: ${same.join(', ')}`)
}

describe('a new person is a likely duplicate', () => {
  test.each<[string, Values, string[]]>([
    ['by an e-mail address in other letters', { Email: 'sile@EXAMPLE.org' }, ['m1: email']],
    [
      'by a name and birth date, without accent and apostrophe',
      { 'Full Name': 'sile obrien', 'Date of Birth': '1990-01-31' },
      ['m1: name and birth date'],
    ],
    ['not by the birth date alone', { 'Full Name': 'Ann', 'Date of Birth': '1990-01-31' }, []],
    ['not by the name alone', { 'Full Name': 'Ben Obi' }, []],
    ['by a telephone number with a country code', { Phone: '+442079460000' }, ['m2: phone']],
    ['by the number of another field', { Phone: '07700-900 123' }, ['m3: phone']],
    ['not by the number of a carer', { Phone: '07700 900555' }, []],
    [
      'by several details, the most first',
      {
        ...{ 'Full Name': 'Ben Obi', 'Date of Birth': '1980-05-05' },
        Email: 'sile@example.org',
        Mobile: '447700900123',
      },
      ['m3: name and birth date, phone', 'm1: email'],
    ],
    ['not without values', {}, []],
  ])('%s', async (_, person, expected) => {
    expect(await findBothWays(await openWith(people), person)).toEqual(expected)
  })

  test('by fields with other names', async () => {
    const store = await openWith([
      {
        fname: 'Zoë',
        'Last name': 'Quaye',
        'E-Mail (home)': 'zoe@example.org',
        DOB: '2001-02-03',
        'Contact no': '07700 900777',
      },
    ])
    const fields = ['fname', 'Last name', 'E-Mail (home)', 'DOB', 'Contact no'].map((id) =>
      field(id),
    )
    for (const [person, same] of [
      [{ fname: 'zoe', 'Last name': 'QUAYE', DOB: '2001-02-03' }, 'name and birth date'],
      [{ 'E-Mail (home)': 'ZOE@example.org' }, 'email'],
      [{ 'Contact no': '00447700900777' }, 'phone'],
    ] as const)
      expect(await findBothWays(store, person, fields)).toEqual([`m1: ${same}`])
  })

  test.each([
    'jo-ann.smith@mail.example.org',
    'JO-ANN.SMITH@MAIL.EXAMPLE.ORG',
    'JO-ANN.SMITH@mail.example.org',
    'Jo-Ann.Smith@mail.example.org',
    'Jo-ann.smith@Mail.example.org',
    'Jo-Ann.Smith@Mail.Example.Org',
    'JO-ann.smith@mail.example.org',
    'jo-ann.smith@Mail.example.org',
    'jo-ann.smith@MAIL.EXAMPLE.ORG',
  ])('by an address that is stored as %s', async (Email) => {
    const store = await openWith([{ Email }])
    const lookup = { Email: 'jo-ann.smith@mail.example.org' }
    expect(await findBothWays(store, lookup)).toEqual(['m1: email'])
  })

  test('by an address in other capitals only if all people are compared', async () => {
    const store = await openWith([{ Email: 'jOANN@example.org' }, { Email: 'joann@example.org' }])
    const before = store.cost.rowsRead
    const [alone] = await findLikelyDuplicatesOf(store, members, [{ Email: 'joann@example.org' }])
    expect(alone?.map(({ id }) => id)).toEqual(['m2'])
    expect(store.cost.rowsRead - before).toBeLessThanOrEqual(40)
    const { pairs } = await findLikelyPairs(store, members, [])
    expect(pairs.map(({ same }) => same)).toEqual([['email']])
  })

  test('not by a word in place of an address', async () => {
    const store = await openWith([{ Email: 'none' }, { Email: 'none' }])
    expect(await findBothWays(store, { Email: 'none' })).toEqual([])
    expect((await findLikelyPairs(store, members, [])).pairs).toEqual([])
  })

  test('not by a detail of more than ten people', async () => {
    const store = await openWith(Array.from({ length: 11 }, () => ({ Email: 'info@example.org' })))
    expect(await findBothWays(store, { Email: 'info@example.org' })).toEqual([])
  })
})

describe('pairs of likely duplicates', () => {
  test('are the most similar first, without dismissed ones', async () => {
    const store = await openWith([
      ...people,
      { 'Full Name': 'Sile O’Brien', 'Date of Birth': '1990-01-31' },
      { 'Full Name': 'Ben  obi', Phone: '07700 900123', 'Date of Birth': '1980-05-05' },
    ])
    const pair = (ids: string[], ...same: string[]) => ({
      people: ids.map((id) => expect.objectContaining({ id })),
      same,
    })
    expect((await findLikelyPairs(store, members, [])).pairs).toEqual([
      pair(['m3', 'm5'], 'name and birth date', 'phone'),
      pair(['m1', 'm4'], 'name and birth date'),
    ])
    expect((await findLikelyPairs(store, members, [['m5', 'm3']])).pairs).toEqual([
      pair(['m1', 'm4'], 'name and birth date'),
    ])
  })

  test('read a row for each person', async () => {
    const store = await openWith(
      Array.from({ length: 12_000 }, (_, index) => ({ Email: `a${index % 11_000}@example.org` })),
    )
    const { pairs, isCut } = await findLikelyPairs(store, members, [])
    expect([pairs.length, isCut]).toEqual([1000, false])
    expect(store.cost.rowsRead).toBeLessThanOrEqual(12_100)
  })
})
