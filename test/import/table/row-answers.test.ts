import { expect, test } from 'vitest'
import { taking } from './importing.ts'

async function withSchema() {
  const taken = await taking()
  const fields = ['Full Name', 'Email', 'Number', 'Born'].map((id) => ({
    id,
    name: id,
    label: id,
    type: id === 'Born' ? 'date' : 'text',
    order: 0,
  }))
  await taken.schema('members', fields)
  return taken
}

const mappingOptions = { id: 'Number' }
const head = 'Number,Name,Email,Born'
const file = [
  head,
  'L1,Joan Redfern,joan@b.org,1960-02-01',
  'L2,Bo,bo@b.org,1970-02-31',
  'L1,John Redfearn,,1961-02-01',
].join('\n')

test('a repeated number is a question, with the names of both rows', async () => {
  const { take } = await withSchema()
  const { outcome } = await take(file, { mappingOptions, writes: false })
  expect(outcome).toMatchObject({ created: 1, rejected: 2 })
  expect(outcome.repeated).toEqual([
    {
      line: 4,
      name: 'John Redfearn',
      value: 'L1',
      headings: ['Number'],
      isId: true,
      other: { line: 2, name: 'Joan Redfern' },
    },
  ])
  expect(outcome.invalidCells).toContainEqual(
    expect.objectContaining({ line: 3, column: 'Born', value: '1970-02-31' }),
  )
})

test('of rows about the same person the later values win, and empty cells do not', async () => {
  const { take, all } = await withSchema()
  const answers = { earlierLines: new Map([[4, 2]]) }
  const { counts } = await take(file, { mappingOptions, answers })
  expect(counts).toEqual([2, 1, 0, 0, 1])
  expect(await all('members')).toEqual([
    expect.objectContaining({
      memberId: 'L1',
      'Full Name': 'John Redfearn',
      Email: 'joan@b.org',
      Born: '1961-02-01',
    }),
  ])
})

test('a new person with the number of another gets no number, and is the same one next time', async () => {
  const { take, all } = await withSchema()
  const answers = { records: new Map([[4, 'new']]) }
  const { counts, proposal } = await take(file, { mappingOptions, answers })
  expect(counts).toEqual([3, 2, 0, 0, 1])
  const [joan, john] = await all('members')
  expect([joan.memberId, joan['Full Name']]).toEqual(['L1', 'Joan Redfern'])
  expect(john).toMatchObject({ 'Full Name': 'John Redfearn', Born: '1961-02-01' })
  expect(john.memberId).toMatch(/^[0-9a-f]{24}$/)
  expect(Object.values(john)).not.toContain('L1')
  const again = await take(file, { mapping: proposal.mapping, answers })
  expect(again.counts).toEqual([3, 0, 0, 2, 1])
})

test('a corrected cell is imported, and a value that a person left alone stays', async () => {
  const { take, kept } = await withSchema()
  const cells = new Map([[3, new Map([['Born', '28/02/1970']])]])
  const { proposal } = await take(file, { mappingOptions, answers: { cells } })
  expect(await kept('members', 'L2')).toMatchObject({ Born: '1970-02-28' })
  const changed = [head, 'L2,Bob,bob@b.org,'].join('\n')
  const unchangedFields = new Map([[2, new Set(['Full Name'])]])
  const { mapping } = proposal
  const { outcome } = await take(changed, { mapping, answers: { unchangedFields } })
  expect(outcome.changed[0]?.fields.map(({ field }) => field)).toEqual(['Email', 'Born'])
  const { changesHash } = outcome
  const other = await take(changed.replace('bob@', 'rob@'), { mapping, writes: false })
  expect(other.outcome.changesHash).not.toBe(changesHash)
  expect(await kept('members', 'L2')).toMatchObject({ 'Full Name': 'Bo', Email: 'bob@b.org' })
})
