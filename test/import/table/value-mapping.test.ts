import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { type Mapping, serialiseMapping } from '../../../src/import/mapping/mapping.ts'
import type { Field } from '../../../src/model/properties/schema.ts'
import { readSchemas } from '../../../src/store/settings/schemas.ts'
import { taking } from './importing.ts'

const field = (id: string, type: Field['type'], ...options: string[]): Field => ({
  id,
  name: id,
  label: id,
  type,
  order: 0,
  ...(options.length > 0 && { options: options.map((value) => ({ value, label: value })) }),
})

async function withOptions() {
  const taken = await taking()
  await taken.schema('members', [
    field('Full Name', 'text'),
    field('Gender', 'select', 'Woman', 'Man', 'Non-binary'),
    field('Interests', 'multipleSelect', 'Music', 'Walks'),
    field('Consent', 'boolean'),
  ])
  return taken
}

/** Returns a mapping with values for texts of a column, and options to add. */
const withValues = (
  mapping: Mapping,
  heading: string,
  values: Record<string, string | null>,
  options?: Mapping['options'],
): Mapping => ({
  ...mapping,
  ...(options && { options }),
  columns: mapping.columns.map((column) =>
    column.heading === heading ? { ...column, values } : column,
  ),
})

test('texts that match no option are counted, and have the values that a person chose, also next time', async () => {
  const { take, all } = await withOptions()
  const file = 'Ref,Name,Gender\nA1,Ann,Female\nA2,Bo,male\nA3,Cy,MALE\nA4,Di,ann@b.org\nA5,Ed,?\n'
  const first = await take(file, { writes: false })
  expect(first.counts).toEqual([5, 0, 0, 0, 5])
  expect(first.outcome.unlisted).toEqual([
    {
      heading: 'Gender',
      field: 'Gender',
      hasMore: false,
      values: [
        { text: 'Female', rows: 1 },
        { text: 'male', rows: 2 },
        { text: 'ann@b.org', rows: 1 },
        { text: '?', rows: 1 },
      ],
    },
  ])
  const values = { female: 'Woman', male: 'Man', 'ann@b.org': 'Man', '?': null }
  const mapping = withValues(first.proposal.mapping, 'Gender', values)
  const second = await take(file, { mapping })
  expect(second.counts).toEqual([5, 5, 0, 0, 0])
  expect(second.outcome.unlisted[0]?.values).toHaveLength(4)
  expect((await all('members')).map(({ Gender }) => Gender)).toEqual([
    ...['Woman', 'Man', 'Man', 'Man', undefined],
  ])
  const saved: Mapping = JSON.parse(serialiseMapping(mapping))
  expect(saved.columns.find(({ heading }) => heading === 'Gender')?.values).toEqual({
    female: 'Woman',
    male: 'Man',
  })
})

test('case, spaces, punctuation and plurals are no questions, but other words are', async () => {
  const { take, all } = await withOptions()
  const { outcome } = await take(
    'Ref,Name,Gender,Interests\nA1,Ann, WOMAN ,walk; musics\nA2,Bo,non binary,Music\nA3,Cy,Women,\n',
  )
  expect(outcome.unlisted.map(({ values }) => values)).toEqual([[{ text: 'Women', rows: 1 }]])
  expect(await all('members')).toMatchObject([
    { Gender: 'Woman', Interests: ['Walks', 'Music'] },
    { Gender: 'Non-binary', Interests: ['Music'] },
  ])
})

test('a text becomes a new option, part of a list another value, and a mark of consent yes', async () => {
  const { take, all, id } = await withOptions()
  const file =
    'Ref,Name,Gender,Interests,Consent\nA1,Ann,Agender,Music;Hikes,x\nA2,Bo,Man,Naps,No\n'
  const { proposal } = await take(file, { writes: false })
  const mapping = withValues(
    withValues(
      withValues(proposal.mapping, 'Gender', { agender: 'Agender' }, { Gender: ['Agender'] }),
      ...(['Interests', { hikes: 'Walks', naps: null }] as const),
    ),
    ...(['Consent', { x: 'true' }] as const),
  )
  const { outcome } = await take(file, { mapping })
  expect(outcome).toMatchObject({ created: 2, rejected: 0 })
  expect(outcome.unlisted.map(({ values }) => values.map(({ text }) => text))).toEqual([
    ['Agender'],
    ['Hikes', 'Naps'],
    ['x'],
  ])
  expect(await all('members')).toMatchObject([
    { Gender: 'Agender', Interests: ['Music', 'Walks'], Consent: true },
    { Gender: 'Man', Consent: false },
  ])
  const { members } = await readSchemas(env.DB, id)
  expect(members?.fields[1]?.options?.map(({ value }) => value)).toEqual([
    ...['Woman', 'Man', 'Non-binary', 'Agender'],
  ])
  // The option that the schema has by now needs no value.
  expect(serialiseMapping(mapping)).not.toContain('gender":')
})

test('at most 60 texts of a column are listed, and no long ones', async () => {
  const { take } = await withOptions()
  const rows = Array.from(
    { length: 70 },
    (_, at) => `A${at},Ann,${at === 0 ? 'x'.repeat(200) : `G${at}`}`,
  )
  const { outcome } = await take(`Ref,Name,Gender\n${rows.join('\n')}`, { writes: false })
  expect(outcome.unlisted[0]?.values).toHaveLength(60)
  expect(outcome.unlisted[0]?.values[0]).toEqual({ text: 'G1', rows: 1 })
  expect(outcome.unlisted[0]?.hasMore).toBe(true)
})
