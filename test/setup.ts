import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, expect } from 'vitest'
import { everything } from './examples/everything.ts'
import { fields } from './examples/people.ts'
import { telling, textsIn } from './logs/told.ts'
import { takeSeen } from './logs/watch.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
await applyD1Migrations(env.GEOGRAPHY, env.TEST_GEOGRAPHY_MIGRATIONS)

const examples = textsIn([everything, fields])

// Whatever a file tests, it tests this too.
afterAll(() => {
  const { lines, said } = takeSeen()
  expect(
    telling(lines, [...examples, ...said]),
    'lines of the log that tell of a record or a request',
  ).toEqual([])
})
