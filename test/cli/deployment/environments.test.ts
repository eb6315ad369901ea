import { expect, test } from 'vitest'
import {
  buildEnvironmentConfig,
  emptyStorage,
  listEnvironments,
  readWranglerConfig,
} from '../../../cli/deployment/environment.ts'

const read = (env?: string): object => {
  const config = readWranglerConfig()
  return env ? buildEnvironmentConfig(config, env, emptyStorage) : config
}

// The key of Workers Cache ignores credentials: with it, one client could receive another's response.
test.each([undefined, ...listEnvironments()])('%s has no cache in front of the Worker', (name) => {
  for (const path of ['cache', 'exports', 'previews.cache'])
    expect(read(name)).not.toHaveProperty(path)
})

test.each(listEnvironments())(
  '%s is observed without addresses of requests, and with source maps',
  (name) => {
    expect(read(name)).toMatchObject({
      observability: {
        enabled: true,
        redact_query_string: true,
        logs: { enabled: true, invocation_logs: false },
        traces: { enabled: false },
      },
      upload_source_maps: true,
    })
    expect(read(name)).not.toHaveProperty('logpush', true)
  },
)
