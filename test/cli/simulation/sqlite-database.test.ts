import { expect, test } from 'vitest'
import { openState } from '../local-state.ts'
import { migratedState } from '../migrated-state.ts'
import { runHistory } from './history.ts'
import type { DatabaseCall } from './sqlite-database.ts'

/** A history of writes, sign-ups and deliveries, and of a move to another database. */
const seed = 18

// Starting D1 takes seconds, so `npm run test:long` compares the two.
test.runIf(process.env.MODE === 'long')(
  'D1 gives the results of the simulated database',
  async () => {
    const calls: DatabaseCall[] = []
    await runHistory(seed, { onCall: (name, call) => name === 'DB' && calls.push(call) })
    const { runtime, bindings } = await openState(await migratedState())
    try {
      for (const call of calls) {
        const text = call.statements.map(({ query }) => query).join(';')
        expect(await callD1(bindings.DB, call), text).toEqual(toOutcome(call.results))
      }
    } finally {
      await runtime.dispose()
    }
  },
)

/** Makes a call on D1. Returns its outcome, undefined if it fails. */
async function callD1(database: D1Database, { statements }: DatabaseCall) {
  const prepared = statements.map(({ query, values }) => database.prepare(query).bind(...values))
  return toOutcome(await database.batch(prepared).catch(() => undefined))
}

/** The parts of results that the service uses. Times by the clock of the database, random bytes and the table of applied migrations differ. */
const toOutcome = (results: readonly D1Result[] | undefined) =>
  results &&
  JSON.stringify(results.map(({ results, meta }) => [results, meta.changes]))
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/[0-9A-F]{64}/g, 'random')
    .replaceAll(/{"table":"d1_migrations"[^}]*},/g, '')
