import { describe, expect, test } from 'vitest'
import { taking } from './importing.ts'

const people = ['A1,Ann,ann@b.org', 'A2,Bo,bo@b.org', 'A3,Cy,cy@b.org']
const head = 'Ref,Name,Email'

/** An organisation with Ann, Bo and Cy, and the rows that were rejected as they repeat her number. */
async function withRejected(rows: string) {
  const taken = await taking()
  const mappingOptions = { id: 'Ref' }
  const first = await taken.take([head, ...people, rows].join('\n'), { mappingOptions })
  const { mapping } = first.proposal
  const again = (text: string) => taken.take(text, { mapping })
  return { ...taken, rest: first.rest, refused: first.refused, again, mapping }
}

describe('a row that repeats the number of another', () => {
  test('stays rejected however often it is imported again', async () => {
    const { rest, refused, again, kept } = await withRejected('A1,Di,di@b.org')
    expect(refused).toEqual([[5, 'Ref is already used on an earlier line.']])
    const second = await again(rest)
    expect(second.counts).toEqual([1, 0, 0, 0, 1])
    expect(second.refused).toEqual([[2, expect.stringMatching(/^Ref was used on an earlier line/)]])
    expect((await again(second.rest)).counts).toEqual([1, 0, 0, 0, 1])
    expect(await kept('members', 'A1')).toMatchObject({ 'Full Name': 'Ann' })
  })

  test('stays rejected if a spreadsheet could run its number as a formula', async () => {
    const { rest, again } = await withRejected('-1,Di,di@b.org\n-1,Ed,ed@b.org')
    expect((await again(rest)).counts).toEqual([1, 0, 0, 0, 1])
  })

  test('is imported with a new number, but not with that of a third row', async () => {
    const { rest, again, kept } = await withRejected('A1,Di,di@b.org')
    expect((await again(rest.replace('"A1"', '"A2"'))).counts).toEqual([1, 0, 0, 0, 1])
    expect((await again(rest.replace('"A1"', '"A4"'))).counts).toEqual([1, 1, 0, 0, 0])
    expect(await kept('members', 'A2')).toMatchObject({ 'Full Name': 'Bo' })
    expect(await kept('members', 'A4')).toMatchObject({ 'Full Name': 'Di' })
  })

  test('changes the record that a person chooses, also behind columns in another order', async () => {
    const { rest, again, kept } = await withRejected('A1,Annie,ann@b.org')
    const nobody = await again(rest.replace(/""\r\n$/, '"A9"\r\n'))
    expect(nobody.refused).toEqual([
      [
        2,
        'Record to change names none of the members: write “new”, or leave it empty and choose the record when you import the file.',
      ],
    ])
    expect(nobody.rest).toContain('"A9"\r\n')
    const turned = rest
      .replace(/""\r\n$/, '"A1"\r\n')
      .split('\r\n')
      .map((line) => line.replace('\uFEFF', '').slice(1, -1).split('","').toReversed().join('","'))
    const chosen = await again(
      turned
        .map((line) => `"${line}"`)
        .slice(0, 2)
        .join('\r\n'),
    )
    expect(chosen.counts).toEqual([1, 0, 1, 0, 0])
    expect(chosen.outcome.changed).toEqual([
      {
        line: 2,
        id: 'A1',
        name: 'Ann',
        fields: [{ field: 'Full Name', before: 'Ann', after: 'Annie' }],
      },
    ])
    expect(await kept('members', 'A1')).toMatchObject({ 'Full Name': 'Annie' })
  })
})

test('a rejected row without an id has none when it is imported again', async () => {
  const { rest, refused, again, all } = await withRejected(',Di,di@b.org')
  expect(refused).toEqual([[5, 'Ref has no value, and a record needs an id.']])
  expect((await again(rest)).refused).toEqual([[2, expect.stringContaining('needs an id')]])
  expect(await all('members')).toHaveLength(3)
})

test('a person decides about a row that matches several people, or someone else', async () => {
  const { take, kept } = await taking()
  const mappingOptions = { match: ['email'] }
  await take([head, ...people, 'A4,Cyra,cy@b.org'].join('\n'))
  const text = 'Email,Name\ncy@b.org,Cyrus\nann@b.org,Anna\nAnn@b.org,Anton\n'
  const first = await take(text, { mappingOptions })
  expect(first.refused).toEqual([
    [2, 'Email is that of several stored people.'],
    [4, 'Email is already used on an earlier line.'],
  ])
  const { mapping } = first.proposal
  const [cyrus = '', anton = ''] = first.rest.trim().split('\r\n').slice(1)
  const [top = ''] = first.rest.split('\r\n')
  const undecided = await take([top, anton].join('\r\n'), { mapping })
  expect(undecided.counts).toEqual([1, 0, 0, 0, 1])
  const decided = [top, cyrus.replace(/""$/, '"A3"'), anton.replace(/""$/, '"New"')].join('\r\n')
  expect((await take(decided, { mapping })).counts).toEqual([2, 1, 1, 0, 0])
  expect(await kept('members', 'A1')).toMatchObject({ 'Full Name': 'Anna' })
  expect(await kept('members', 'A3')).toMatchObject({ 'Full Name': 'Cyrus' })
})

test('only the first of many changed records are shown, each with its first fields and cut values', async () => {
  const { take } = await taking()
  const rows = (note: string) =>
    Array.from({ length: 120 }, (_, at) => `R${at},Ann ${at},${note}`).join('\n')
  await take(`Ref,Name,Notes\n${rows('first')}`)
  const { outcome } = await take(`Ref,Name,Notes\n${rows('x'.repeat(200))}`, { writes: false })
  expect([outcome.updated, outcome.changed.length]).toEqual([120, 100])
  expect(outcome.changed[0]?.fields).toEqual([
    { field: 'Notes', before: 'first', after: `${'x'.repeat(80)}…` },
  ])
})
