import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  type AccountStorage,
  buildEnvironmentConfig,
  emptyStorage,
  readWranglerConfig,
} from '../../../cli/deployment/environment.ts'
import { checkRegion, describeExisting } from '../../../cli/deployment/region.ts'
import { allSteps, provisioningSteps, releaseSteps } from '../../../cli/deployment/steps.ts'

const all: AccountStorage = {
  databases: new Map([
    ['records-production', { id: 'database-1', jurisdiction: 'eu' }],
    ['geography-production', { id: 'database-2', jurisdiction: null }],
  ]),
  namespaces: new Map([['organisation-data-platform-api-production-KEYS', 'namespace-1']]),
  queues: new Set(['changes-production', 'changes-failed-production']),
}

const unknown = buildEnvironmentConfig(readWranglerConfig(), 'production', emptyStorage)
const config = buildEnvironmentConfig(readWranglerConfig(), 'production', all)
const eu = { jurisdiction: 'eu' } as const

const lines = (steps: { args: string[] }[]) => steps.map(({ args }) => args.join(' '))

/** The configuration of production with two more databases. */
function configWithThreeDatabases() {
  const raw = structuredClone(readWranglerConfig())
  for (const number of [2, 1]) {
    raw.env?.production?.d1_databases?.push({
      binding: `DB_${number}`,
      database_name: `records-production-${number}`,
      migrations_dir: 'migrations/records',
    })
  }
  return buildEnvironmentConfig(raw, 'production', emptyStorage)
}

test('an empty account gets every database, namespace and queue, in the European Union', () => {
  expect(lines(provisioningSteps(unknown, emptyStorage, eu))).toEqual([
    'd1 create records-production --jurisdiction eu --update-config=false',
    'd1 create geography-production --jurisdiction eu --update-config=false',
    'kv namespace create organisation-data-platform-api-production-KEYS --jurisdiction eu --update-config=false',
    'queues create changes-production --jurisdiction eu',
    'queues create changes-failed-production --jurisdiction eu',
  ])
})

test('a second deployment finds the existing resources', () => {
  const databases = new Map([['records-production', { id: 'database-1' }]])
  expect(lines(provisioningSteps(unknown, { ...all, databases }, eu))).toEqual([
    'd1 create geography-production --jurisdiction eu --update-config=false',
  ])
  expect(provisioningSteps(unknown, all, eu)).toEqual([])
})

test('the storage of another environment is not taken for this one', () => {
  const staging = buildEnvironmentConfig(readWranglerConfig(), 'staging', emptyStorage)
  expect(provisioningSteps(staging, all, eu)).toHaveLength(5)
})

test('new databases are created in the region of the run, and the others stay', () => {
  const three = configWithThreeDatabases()
  const steps = provisioningSteps(three, all, { jurisdiction: 'none', location: 'weur' })
  expect(steps).toEqual([
    {
      description: 'Create the database records-production-2 without a jurisdiction, near weur',
      args: 'd1 create records-production-2 --location weur --update-config=false'.split(' '),
    },
    {
      description: 'Create the database records-production-1 without a jurisdiction, near weur',
      args: 'd1 create records-production-1 --location weur --update-config=false'.split(' '),
    },
  ])
  expect(lines(provisioningSteps(three, all, { jurisdiction: 'fedramp' }))[0]).toBe(
    'd1 create records-production-2 --jurisdiction fedramp --update-config=false',
  )
  expect(lines(provisioningSteps(unknown, emptyStorage, { jurisdiction: 'none' }))).toEqual([
    'd1 create records-production --update-config=false',
    'd1 create geography-production --update-config=false',
    'kv namespace create organisation-data-platform-api-production-KEYS --update-config=false',
    'queues create changes-production',
    'queues create changes-failed-production',
  ])
})

test('a location in a jurisdiction is refused, because D1 ignores it', () => {
  expect(() => checkRegion({ jurisdiction: 'eu', location: 'weur' })).toThrow(
    '--location needs --jurisdiction none: D1 ignores a location in a jurisdiction.',
  )
  expect(() => checkRegion({ jurisdiction: 'none', location: 'weur' })).not.toThrow()
})

test.each([
  ['eu', 'in the jurisdiction eu, which cannot change'],
  [null, 'without a jurisdiction, which cannot change'],
  [undefined, 'and keeps its jurisdiction'],
])('an existing database in the jurisdiction %s exists %s', (jurisdiction, expected) => {
  expect(describeExisting(jurisdiction)).toBe(expected)
})

test('every database is migrated before the code is deployed', () => {
  expect(lines(releaseSteps(config, 'c.json'))).toEqual([
    'd1 migrations apply DB --remote --config c.json',
    'd1 migrations apply GEOGRAPHY --remote --config c.json',
    'deploy --config c.json',
  ])
  expect(lines(releaseSteps(config, 'c.json', 's.json')).at(-1)).toBe(
    'deploy --config c.json --secrets-file s.json',
  )
})

test('a dry run lists every database: its creation, bookmark and migration', () => {
  const steps = allSteps(configWithThreeDatabases(), 'c.json', eu)
  for (const number of [1, 2]) {
    const name = `records-production-${number}`
    expect(
      lines(steps).filter((line) => line.includes(name) || line.includes(`DB_${number}`)),
    ).toEqual([
      `d1 create ${name} --jurisdiction eu --update-config=false`,
      `d1 time-travel info ${name} --json`,
      `d1 migrations apply DB_${number} --remote --config c.json`,
    ])
  }
  expect(lines(steps).at(-1)).toBe('deploy --config c.json --secrets-file <file>')
})

test('the configuration deployed is the environment with the ids of its storage', () => {
  expect(config).toMatchObject({
    name: 'organisation-data-platform-api-production',
    d1_databases: [
      { binding: 'DB', database_id: 'database-1' },
      { binding: 'GEOGRAPHY', database_id: 'database-2' },
    ],
    kv_namespaces: [{ binding: 'KEYS', id: 'namespace-1' }],
    observability: { redact_query_string: true },
    minify: true,
    secrets: { required: ['WEBHOOK_KEY'] },
    keep_names: false,
    upload_source_maps: true,
    vars: { OWN_HOSTS: 'organisation-data-platform-api-production.*.workers.dev' },
    queues: { consumers: [{ dead_letter_queue: 'changes-failed-production' }] },
    triggers: { crons: ['* * * * *'] },
  })
  for (const { migrations_dir } of config.d1_databases)
    expect(existsSync(migrations_dir)).toBe(true)
  expect(config).not.toHaveProperty('env')
})

test('a trial takes what the deploy button has written into wrangler.toml, and creates the rest', () => {
  const raw = readWranglerConfig()
  for (const database of raw.d1_databases ?? []) {
    database.database_name = `trial-${database.database_name}`
    database.database_id = `id-of-${database.binding}`
  }
  for (const namespace of raw.kv_namespaces ?? []) namespace.id = 'id-of-KEYS'
  const trial = buildEnvironmentConfig({ ...raw, name: 'our-trial' }, 'trial', emptyStorage)
  expect(trial).toMatchObject({
    name: 'our-trial',
    d1_databases: [
      { database_name: 'trial-records', database_id: 'id-of-DB' },
      { database_name: 'trial-geography', database_id: 'id-of-GEOGRAPHY' },
    ],
    kv_namespaces: [{ binding: 'KEYS', id: 'id-of-KEYS' }],
    ratelimits: [{ namespace_id: '4001', simple: { limit: 6000 } }, {}, {}, {}, {}, {}],
    vars: { TRIAL: 'true', OWN_HOSTS: 'our-trial.*.workers.dev' },
    triggers: { crons: ['* * * * *'] },
  })
  const queues = new Set(['changes'])
  const steps = provisioningSteps(trial, { ...emptyStorage, queues }, { jurisdiction: 'none' })
  expect(lines(steps)).toEqual(['queues create changes-failed'])
  expect(lines(releaseSteps(trial, 'c.json'))).toEqual([
    'd1 migrations apply DB --remote --config c.json',
    'd1 migrations apply GEOGRAPHY --remote --config c.json',
    'deploy --config c.json',
  ])
})

test('the ids of zeros in wrangler.toml name no storage', () => {
  const trial = buildEnvironmentConfig(readWranglerConfig(), 'trial', emptyStorage)
  expect(JSON.stringify(trial)).not.toContain('00000000')
  expect(provisioningSteps(trial, emptyStorage, eu)).toHaveLength(5)
})
