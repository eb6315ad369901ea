import { expect, test } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { listEnvironments } from '../../../cli/deployment/environment.ts'

type Config = {
  cache?: object
  exports?: object
  previews?: { cache?: object }
  observability?: object
  upload_source_maps?: boolean
  logpush?: boolean
}

// What wrangler says of its result's type is not in its package.
const read = (env?: string): Config =>
  readConfig({ config: './wrangler.toml', ...(env && { env }) })

// The key of Workers Cache ignores credentials: with it, one client could receive another's response.
test.each([undefined, ...listEnvironments()])('%s has no cache in front of the Worker', (name) => {
  const { cache, exports, previews } = read(name)
  expect([cache, exports, previews?.cache]).toEqual([undefined, {}, undefined])
})

test.each(listEnvironments())(
  '%s is observed without addresses of requests, and with source maps',
  (name) => {
    const { observability, upload_source_maps, logpush } = read(name)
    expect(observability).toMatchObject({
      enabled: true,
      redact_query_string: true,
      logs: { enabled: true, invocation_logs: false },
      traces: { enabled: false },
    })
    expect(upload_source_maps).toBe(true)
    expect(logpush).toBeFalsy()
  },
)
