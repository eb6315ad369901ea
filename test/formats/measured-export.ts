import { failingDatabase, requestWith } from '../faults/failing-database.ts'

/** The response with a whole table, the database calls so far, and the rows they have read. */
export async function requestMeasured(path: string, key: string) {
  const { DB, happened } = failingDatabase('lost before', () => false)
  const cost = { rows: 0 }
  const answer = await requestWith({ DB: countRowsRead(DB, cost) }, path, {
    headers: { 'x-api-key': key },
  })
  return { answer, happened, cost }
}

function countRowsRead(d1: D1Database, cost: { rows: number }): D1Database {
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

/** The first cell of each CSV row, without the header. */
export const idsIn = (text: string) =>
  text
    .split('\r\n')
    .slice(1, -1)
    .map((row) => row.slice(0, row.indexOf(',')))
