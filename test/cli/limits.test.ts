import { expect, test } from 'vitest'
import {
  buildEnvironmentConfig,
  emptyStorage,
  readWranglerConfig,
} from '../../cli/deployment/environment.ts'

test.each([
  [undefined, 1_000_000, 1_000_000_000],
  ['trial', 6000, 500_000],
  ['staging', 6000, 500_000],
  ['production', 6000, 500_000],
])('the limits of %s are what its answers say', (env, byCredential, rows) => {
  const config = readWranglerConfig()
  const { ratelimits, vars } = env ? buildEnvironmentConfig(config, env, emptyStorage) : config
  expect(ratelimits).toMatchObject([
    { name: 'LIMIT_BY_CREDENTIAL', simple: { limit: byCredential, period: 60 } },
    { name: 'LIMIT_FAILURES_BY_ADDRESS', simple: { limit: 600, period: 60 } },
    { name: 'LIMIT_PUBLIC_PAGES_BY_ADDRESS', simple: { limit: 600, period: 60 } },
    { name: 'LIMIT_FORMS_BY_ADDRESS', simple: { limit: 120, period: 60 } },
    { name: 'LIMIT_FORMS_BY_TARGET', simple: { limit: 1000, period: 60 } },
    // Units of 50,000 rows in a minute.
    { name: 'LIMIT_ROWS_BY_ORGANISATION', simple: { limit: (12 * rows) / 50_000, period: 60 } },
  ])
  expect(vars).toHaveProperty(
    'RATE_LIMIT_POLICY',
    `"credential";q=${byCredential};w=60, "failure";q=600;w=60, "rows";q=${rows};w=5;qu="rows"`,
  )
})
