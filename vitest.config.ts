import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { exportJWK, generateKeyPair } from 'jose'
import { defineConfig } from 'vitest/config'
import { generateWebhookKey } from './src/webhooks/secret.ts'
import { dynamicImports } from './test/dynamic-imports/plugin.ts'
import { network } from './test/faults/network.ts'
import { ProjectSequencer } from './test/sequencer.ts'
import { slow } from './test/slow-files.ts'

// The local D1 waits for its disk at every write: where there is room for it in memory, it is there.
const memory = '/dev/shm'
if (!process.env.TMPDIR && existsSync(memory)) {
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize > 2 ** 32) {
    const folder = mkdtempSync(`${memory}/tests-`)
    process.env.TMPDIR = folder
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
}

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

const webhookKey = generateWebhookKey()

const migrations = await readD1Migrations('./migrations/records')
const geographyMigrations = await readD1Migrations('./migrations/geography')

/** Only long runs generate different values in each run, so that what they find does not stop another change. */
const seedFiles = (mode: string) => (mode === 'long' ? [] : ['./test/fixed-seed.ts'])

// A file costs two seconds of its own when isolated, so files share what a process has loaded, those
// of the Worker its storage too, and every test makes its own organisation. Their order is random, so that a test
// that depends on another fails: `--sequence.seed` repeats the order that a run has printed.

export default defineConfig(async ({ mode }) => ({
  test: {
    sequence: { sequencer: ProjectSequencer },
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
                TEST_RUNS: mode === 'long' ? 100 : 1,
                TEST_MIGRATIONS: migrations,
                TEST_GEOGRAPHY_MIGRATIONS: geographyMigrations,
              },
              // Two more databases of organisations, one of a new installation, and for each migration one of its
              // version, bound by its name.
              d1Databases: [
                ...['DB_1', 'DB_2', 'NEW'],
                ...[...migrations, ...geographyMigrations].map(({ name }) => name),
              ],
            },
          }),
          dynamicImports,
        ],
        test: {
          name: 'worker',
          include: mode === 'slow' ? slow : ['test/**/*.test.ts'],
          exclude: ['test/cli/**', ...(mode === 'quick' ? slow : [])],
          setupFiles: ['./test/setup.ts', ...seedFiles(mode)],
          testTimeout: mode === 'long' ? 7_200_000 : 120_000,
          hookTimeout: 120_000,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'cli',
          include:
            mode === 'slow'
              ? slow.filter((file) => file.startsWith('test/cli/'))
              : ['test/cli/**/*.test.ts'],
          exclude: mode === 'quick' ? slow : [],
          setupFiles: seedFiles(mode),
          // What Node has compiled of wrangler serves every process that the tests start; ours begin as by npm.
          env: {
            NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
            NODE_OPTIONS: `--import ${pathToFileURL('cli/resolve-once.ts')}`,
          },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate: false,
          maxWorkers: 2,
        },
      },
    ],
  },
}))
