import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

// A file costs two seconds of its own when isolated, so files share storage and every test makes
// its own organisation.
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations('./migrations'),
                TEST_GEOGRAPHY_MIGRATIONS: await readD1Migrations('./migrations-geography'),
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: ['test/cli/**'],
          setupFiles: ['./test/setup.ts'],
          isolate: false,
          maxWorkers: 1,
        },
      },
      {
        test: { name: 'cli', include: ['test/cli/**/*.test.ts'], testTimeout: 120_000 },
      },
    ],
  },
})
