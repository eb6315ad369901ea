import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { exportJWK, generateKeyPair } from 'jose'
import { defineConfig } from 'vitest/config'
import { newWebhookKey } from './src/webhooks/secret.ts'
import { network } from './test/faults/network.ts'

// An identity provider of the tests' own: new keys at each run.
const signing = await generateKeyPair('ES256', { extractable: true })
const identityProvider = {
  AUTH_ISSUER: 'https://identity.test/',
  AUTH_AUDIENCE: 'https://api.test',
  AUTH_JWKS: JSON.stringify({
    keys: [{ ...(await exportJWK(signing.publicKey)), kid: 'test', alg: 'ES256' }],
  }),
  TEST_SIGNING_KEY: JSON.stringify(await exportJWK(signing.privateKey)),
}

const webhookKey = newWebhookKey()

const migrations = await readD1Migrations('./migrations')
const geographyMigrations = await readD1Migrations('./migrations-geography')

/** The tests that drive a browser, start processes, put the Worker under load or import much. */
const slow = [
  'admin',
  'backup',
  'dashboard/*',
  'deployment/deploy',
  'examples/*',
  'geography',
  'import-killed',
  'load/*',
  'local-tokens',
  'memory',
  'readme',
  'redaction',
  'round-trip',
  'smoke',
  'start',
]

// A file costs two seconds of its own when isolated, so files share what a process has loaded, those
// of the Worker its storage too, and every test makes its own organisation. `--mode long` runs every
// generated test 100 times as often, `--mode quick` half as often, and leaves out what is slow.
const runs = (mode: string) => ({ long: 100, quick: 1 / 2 })[mode] ?? 1

export default defineConfig(async ({ mode }) => ({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              outboundService: network,
              bindings: {
                ...identityProvider,
                WEBHOOK_KEY: webhookKey,
                TEST_RUNS: runs(mode),
                TEST_MIGRATIONS: migrations,
                TEST_GEOGRAPHY_MIGRATIONS: geographyMigrations,
              },
              // For each migration a database to be of its version, bound by its name.
              d1Databases: [...migrations, ...geographyMigrations].map(({ name }) => name),
            },
          }),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: ['test/cli/**'],
          setupFiles: ['./test/setup.ts'],
          testTimeout: mode === 'long' ? 7_200_000 : 120_000,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'cli',
          include: ['test/cli/**/*.test.ts'],
          exclude: mode === 'quick' ? slow.map((name) => `test/cli/${name}.test.ts`) : [],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate: false,
          maxWorkers: 2,
        },
      },
    ],
  },
}))
