import { expect, test } from 'vitest'
import { checkEnvironment } from '../../../cli/deployment/check-environment.ts'
import { listEnvironments, readWranglerConfig } from '../../../cli/deployment/environment.ts'

type Environment = NonNullable<NonNullable<ReturnType<typeof readWranglerConfig>['env']>[string]>

const section = (
  binding: string,
  database_name?: string,
  migrations_dir = 'migrations/records',
) => ({
  binding,
  migrations_dir,
  ...(database_name && { database_name }),
})

/** Returns the problems of a copy of production with other names, after a change. */
function problemsAfter(change: (environment: Environment) => void, name = 'test'): string[] {
  const config = readWranglerConfig()
  const copy: Environment = JSON.parse(
    JSON.stringify(config.env?.production)
      .replaceAll('-production', `-${name}`)
      .replace(/"namespace_id":"3/g, '"namespace_id":"9'),
  )
  change(copy)
  return checkEnvironment({ ...config, env: { ...config.env, [name]: copy } }, name)
}

test.each(listEnvironments())('%s is complete', (name) => {
  expect(checkEnvironment(readWranglerConfig(), name)).toEqual([])
})

test('a copy with other names is complete, and may have further databases', () => {
  const problems = problemsAfter(({ d1_databases }) => {
    d1_databases?.push(
      section('DB_2', 'records-2'),
      section('DB_1', 'records-1', './migrations/records/'),
    )
  })
  expect(problems).toEqual([])
})

test('a trial needs the top of the file, and shares no storage with an environment', () => {
  const { d1_databases, ...config } = readWranglerConfig()
  expect(checkEnvironment(config, 'trial')).toEqual([
    '[[d1_databases]] with binding = "DB" is missing.',
    '[[d1_databases]] with binding = "GEOGRAPHY" is missing.',
  ])
  const shared = d1_databases?.map((database) => ({
    ...database,
    database_name: `${database.database_name}-staging`,
  }))
  expect(checkEnvironment({ ...config, d1_databases: shared }, 'trial')).toEqual([
    'database_name = "records-staging" also belongs to [env.staging]: choose another.',
    'database_name = "geography-staging" also belongs to [env.staging]: choose another.',
  ])
})

test('an empty environment gets a list of everything that it needs', () => {
  const config = readWranglerConfig()
  expect(checkEnvironment({ ...config, env: { test: {} } }, 'test')).toEqual([
    '[[env.test.d1_databases]] with binding = "DB" is missing.',
    '[[env.test.d1_databases]] with binding = "GEOGRAPHY" is missing.',
    '[[env.test.kv_namespaces]] with binding = "KEYS" is missing.',
    ...(config.ratelimits ?? []).map(
      ({ name }) => `[[env.test.ratelimits]] with name = "${name}" is missing.`,
    ),
    '[[env.test.queues.producers]] with binding = "CHANGES" is missing.',
    '[env.test.version_metadata] with binding = "VERSION" is missing.',
    'RATE_LIMIT_POLICY in [env.test.vars] is missing.',
  ])
})

const cases: [string, (environment: Environment) => void, string[]][] = [
  [
    'a gap in the numbers of databases',
    ({ d1_databases }) => d1_databases?.push(section('DB_3', 'records-3')),
    ['DB_1', 'DB_2'].map(
      (binding) =>
        `[[env.test.d1_databases]] with binding = "${binding}" is missing: the numbers must be without gaps up to DB_3.`,
    ),
  ],
  [
    'a number that appears twice',
    ({ d1_databases }) =>
      d1_databases?.push(section('DB_1', 'records-1'), section('DB_1', 'records-2')),
    ['[[env.test.d1_databases]]: binding = "DB_1" appears twice.'],
  ],
  ...['DB_01', 'DB_0', 'DB1', 'db_1', 'DB_1000'].map((binding): (typeof cases)[number] => [
    `the binding ${binding}`,
    ({ d1_databases }) => d1_databases?.push(section(binding, 'records-1')),
    [
      `[[env.test.d1_databases]]: binding = "${binding}" must be DB, DB_1, DB_2 and so on, or GEOGRAPHY.`,
    ],
  ]),
  ...[undefined, 'Records', 'records 1', '-records'].map((name): (typeof cases)[number] => [
    `the database_name ${name}`,
    ({ d1_databases }) => d1_databases?.push(section('DB_1', name)),
    [
      '[[env.test.d1_databases]]: DB_1 needs a database_name of lower-case letters, digits, hyphens and underscores.',
    ],
  ]),
  [
    'a database without migrations_dir',
    ({ d1_databases }) => d1_databases?.push({ binding: 'DB_1', database_name: 'records-1' }),
    ['[[env.test.d1_databases]]: DB_1 needs migrations_dir = "migrations/records".'],
  ],
  [
    'the migrations of another database',
    ({ d1_databases }) => d1_databases?.push(section('DB_1', 'records-1', 'migrations/geography')),
    ['[[env.test.d1_databases]]: DB_1 needs migrations_dir = "migrations/records".'],
  ],
  [
    'a database of another environment',
    ({ d1_databases }) => d1_databases?.push(section('DB_1', 'records-staging')),
    ['database_name = "records-staging" also belongs to [env.staging]: choose another.'],
  ],
  [
    'a database of the local service',
    ({ d1_databases }) => d1_databases?.push(section('DB_1', 'records')),
    ['database_name = "records" also belongs to the local service: choose another.'],
  ],
  [
    'one database for two bindings',
    ({ d1_databases }) => d1_databases?.push(section('DB_1', 'records-test')),
    ['database_name = "records-test" appears twice.'],
  ],
  [
    'the counters of another environment',
    ({ ratelimits = [] }) => {
      ratelimits[0] = { ...ratelimits[0], namespace_id: '2001' } as (typeof ratelimits)[number]
    },
    ['namespace_id = "2001" also belongs to [env.staging]: choose another.'],
  ],
  [
    'a queue without a consumer',
    ({ queues }) => queues?.consumers?.pop(),
    [
      '[[env.test.queues.consumers]] with queue = "changes-test" and a dead_letter_queue is missing.',
    ],
  ],
  [
    'another schedule',
    (environment) => {
      environment.triggers = { crons: ['0 * * * *'] }
    },
    ['[env.test.triggers] must have "* * * * *" in crons.'],
  ],
  [
    'another limit than announced',
    ({ vars = {} }) => {
      vars.RATE_LIMIT_POLICY = '"credential";q=60;w=60, "failure";q=600;w=60, "rows";q=7;w=6'
    },
    [
      'RATE_LIMIT_POLICY in [env.test.vars] announces 60 in 60 s and 600 in 60 s and 70 rows in 60 s, but LIMIT_BY_CREDENTIAL and LIMIT_FAILURES_BY_ADDRESS and LIMIT_ROWS_BY_ORGANISATION are 6000 in 60 s and 600 in 60 s and 6000000 rows in 60 s.',
    ],
  ],
]

test.each(cases)('%s is refused', (_, change, problems) => {
  expect(problemsAfter(change)).toEqual(problems)
})

test.each(['Test', 'te/st', '-test', 'x'.repeat(40)])('the name %s is refused', (name) => {
  expect(problemsAfter(() => {}, name)).toContainEqual(
    expect.stringContaining(`The name "${name}" must consist of lower-case letters`),
  )
})
