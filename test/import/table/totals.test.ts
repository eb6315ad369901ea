import { expect, test } from 'vitest'
import { taking } from './importing.ts'

const rows = 'A1,Ann,5\nA2,Bo,6\nA3,Cy,7\n'

test.each([
  'TOTAL,,18',
  'Total:,3,£18.00',
  ',Grand total,"1,018"',
  'Total members: 3,,',
  'Sum,,18',
])('a last row %s is skipped and told', async (total) => {
  const { take, all } = await taking()
  const { counts, outcome, proposal } = await take(`Ref,Name,Fee\n${rows}${total}\n`)
  expect(counts).toEqual([3, 3, 0, 0, 0])
  expect(proposal.mapping.id).toEqual({ columns: ['Ref'], isMade: false })
  expect(outcome.warnings).toContainEqual(
    expect.objectContaining({ message: 'holds totals and is skipped.', count: 1 }),
  )
  expect(outcome.warnings[0]?.examples[0]?.line).toBe(5)
  expect(await all('members')).toHaveLength(3)
})

test.each([
  ['has words', `${rows}A4,Total Thistle,8`],
  ['is a name and a telephone number', `${rows}Total,,07700900123`],
  ['stands between others', `Total,,18\n${rows}`],
])('a row is imported that %s', async (_, text) => {
  const { take } = await taking()
  const { counts } = await take(`Ref,Name,Fee\n${text.trim()}\n`, { mappingOptions: { id: 'Ref' } })
  expect(counts.slice(0, 2)).toEqual([4, 4])
})
