import { expect, test } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { environments } from '../../../cli/deployment/environment.ts'

type Config = {
  d1_databases: { binding: string; database_name: string; migrations_dir: string }[]
  kv_namespaces: { binding: string }[]
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[]
  vars: Record<string, unknown>
  queues: { producers?: { binding: string }[] }
  triggers: { crons?: string[] }
  cache?: object
  exports?: object
  previews?: { cache?: object }
  version_metadata?: { binding: string }
  observability?: object
  upload_source_maps?: boolean
  logpush?: boolean
}

// What wrangler says of its result's type is not in its package.
const read = (env?: string): Config =>
  readConfig({ config: './wrangler.toml', ...(env && { env }) })
const local = read()

/** Everything the Worker is bound to, by kind and name. */
const bindingsOf = (config: Config) => ({
  databases: config.d1_databases.map(({ binding, migrations_dir }) => [binding, migrations_dir]),
  namespaces: config.kv_namespaces.map(({ binding }) => binding),
  limits: config.ratelimits.map(({ name }) => name),
  variables: Object.keys(config.vars),
  queues: config.queues.producers?.map(({ binding }) => binding),
  schedules: config.triggers.crons,
  version: config.version_metadata?.binding,
})

test.each(environments)('%s binds what the local Worker binds', (name) => {
  expect(bindingsOf(read(name))).toEqual(bindingsOf(local))
})

// The key of Workers Cache ignores credentials: with it, one client could receive another's response.
test.each([undefined, ...environments])('%s has no cache in front of the Worker', (name) => {
  const { cache, exports, previews } = read(name)
  expect([cache, exports, previews?.cache]).toEqual([undefined, {}, undefined])
})

test('environments share no storage and no rate limit', () => {
  const configs = [local, ...environments.map((name) => read(name))]
  const storage = configs.flatMap(({ d1_databases }) => d1_databases.map((d1) => d1.database_name))
  const limits = configs.flatMap(({ ratelimits }) => ratelimits.map((limit) => limit.namespace_id))
  expect(new Set(storage).size).toBe(storage.length)
  expect(new Set(limits).size).toBe(limits.length)
})

test.each(environments)(
  '%s is observed without addresses of requests, and with source maps',
  (name) => {
    const { observability, upload_source_maps, logpush } = read(name)
    expect(observability).toMatchObject({
      ...{ enabled: true, redact_query_string: true },
      logs: { enabled: true, invocation_logs: false },
    })
    expect(upload_source_maps).toBe(true)
    expect(logpush).toBeFalsy()
  },
)

test.each(environments)('%s says the limits that it has', (name) => {
  const { ratelimits, vars } = read(name)
  const policies = [...String(vars.RATE_LIMIT_POLICY).matchAll(/q=(\d+);w=(\d+)/g)].map(
    ([, limit, period]) => ({ limit: Number(limit), period: Number(period) }),
  )
  // The others are for the public pages, whose visitors read no headers.
  const ofTheApi = ratelimits.filter(({ name }) => !/PUBLIC_PAGES|FORMS/.test(name))
  expect(policies).toEqual(ofTheApi.map(({ simple }) => simple))
})
