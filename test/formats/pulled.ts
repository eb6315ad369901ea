import { faultyDatabase, requestWith } from '../faults/faulty.ts'

/** The answer with a whole table, the calls to the database so far, and the rows that these have read. */
export async function pulled(path: string, key: string) {
  const { DB, happened } = faultyDatabase('lost before', () => false)
  const cost = { rows: 0 }
  const answer = await requestWith({ DB: counting(DB, cost) }, path, {
    headers: { 'x-api-key': key },
  })
  return { answer, happened, cost }
}

function counting(d1: D1Database, cost: { rows: number }): D1Database {
  const counted = (statement: D1PreparedStatement): D1PreparedStatement =>
    Object.create(statement, {
      bind: { value: (...values: unknown[]) => counted(statement.bind(...values)) },
      run: {
        value: async () => {
          const result = await statement.run()
          cost.rows += result.meta.rows_read
          return result
        },
      },
      first: { value: () => statement.first() },
    })
  return Object.create(d1, { prepare: { value: (text: string) => counted(d1.prepare(text)) } })
}

/** The first cell of each row of CSV, less the head. */
export const idsIn = (text: string) =>
  text
    .split('\r\n')
    .slice(1, -1)
    .map((row) => row.slice(0, row.indexOf(',')))
