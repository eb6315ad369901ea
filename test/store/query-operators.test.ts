import { expect, test } from 'vitest'
import { fieldFunctionNames } from '../../src/model/query/field-functions.ts'
import {
  type Operator,
  operators,
  operatorTable,
  testsOf,
} from '../../src/model/query/operators.ts'
import { passes, type Scalar } from '../../src/model/query/predicate.ts'
import { newOrganisation } from '../organisation.ts'

const long = 'x'.repeat(300)

const documents: Readonly<Record<string, Record<string, unknown>>> = {
  a: { name: 'Lunch', attendees: 9, bookable: true },
  b: { name: 'lunch', attendees: -1.5, bookable: false },
  c: { name: ' Lunch é 😀 ', attendees: 305 },
  d: { name: `${long} hall`, attendees: 0 },
  e: { name: `Lunch ${long} LUNCH` },
  f: { name: `  ${long}  ` },
  g: { name: '' },
  h: { description: 'Lunch' },
}

const values: Readonly<Record<string, readonly Scalar[]>> = {
  name: ['Lunch', 'LUNCH', 'x', 'hall', '', '😀'],
  attendees: [0, 9],
  bookable: [true],
}

/** Whether an operator compares with a value of this type. */
function hasTest(operator: Operator, value: Scalar): boolean {
  const { texts, numbers, booleans } = testsOf(operator)
  if (typeof value === 'string') return texts !== undefined
  return (typeof value === 'number' ? numbers : booleans) !== undefined
}

/** Every comparison of each operator, with and without each function. */
const comparisons = operators.flatMap((operator) =>
  [undefined, ...fieldFunctionNames].flatMap((fieldFunction) =>
    Object.entries(values).flatMap(([name, compared]) =>
      compared
        .filter((value) => hasTest(operator, value))
        .map((value) => ({ name, operator, fieldFunction, value })),
    ),
  ),
)

type Comparison = (typeof comparisons)[number]

function print({ name, operator, fieldFunction, value }: Comparison): string {
  const field = fieldFunction ? `${fieldFunction}(${name})` : name
  const literal = typeof value === 'string' ? `'${value}'` : String(value)
  return operatorTable[operator].exchanged
    ? `${field} ${operator} ${literal}`
    : `${operator}(${field},${literal})`
}

test('the index finds what each operator and function passes in memory', async () => {
  const { put, json } = await newOrganisation()
  await put(
    'events',
    Object.entries(documents).map(([id, document]) => ({
      id,
      document: { eventId: id, ...document },
    })),
  )
  for (const comparison of comparisons) {
    const $filter = print(comparison)
    const { name, ...rest } = comparison
    const predicate = { ...rest, field: { path: [name], isList: false } }
    const { events } = await json<{ events: { eventId: string }[] }>(
      `/events?${new URLSearchParams({ $filter })}`,
    )
    expect([$filter, events.map(({ eventId }) => eventId)]).toEqual([
      $filter,
      Object.keys(documents).filter((id) => passes(predicate, documents[id])),
    ])
  }
})
