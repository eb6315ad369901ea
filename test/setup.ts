import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, expect } from 'vitest'
import { everything } from './examples/everything.ts'
import { fields } from './examples/people.ts'
import { findLeaks, textsIn } from './logs/leaks.ts'
import { takeRecorded } from './logs/watch.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
await applyD1Migrations(env.GEOGRAPHY, env.TEST_GEOGRAPHY_MIGRATIONS)

const examples = textsIn([everything, fields])

// Every test file also tests that its log leaks nothing.
afterAll(() => {
  const { lines, texts } = takeRecorded()
  expect(
    findLeaks(lines, [...examples, ...texts]),
    'log lines with values of a record or request',
  ).toEqual([])
})
