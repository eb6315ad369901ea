import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { listOrganisations } from '../src/admin/organisations.ts'
import { localClaims } from '../src/auth/local.ts'
import { addUser } from '../src/auth/memberships.ts'
import type { Databases } from '../src/platform/bindings.ts'
import { by } from './commands/action.ts'
import { demoOrganisation, demoPages, isDemoLoaded, loadDemo } from './demo.ts'
import { wranglerPath } from './deployment/wrangler.ts'
import { localState, withBindings } from './state/bindings.ts'
import { ensureLocalKey } from './state/local-key.ts'
import { createLocalToken, readLocalJwks } from './state/local-tokens.ts'
import { ensureLocalWebhookKey } from './state/webhook-key.ts'

const options = new Command('npm start --')
  .description('Run the service on this machine, with a demo organisation.')
  .option('--port <number>', 'the port it listens on', '8787')
  .option('--persist-to <folder>', 'the folder of its state', localState)
  .option('--allow-local-webhooks', 'also send webhooks to this machine', false)
  .parse()
  .opts<{ port: string; persistTo: string; allowLocalWebhooks: boolean }>()
const { port } = options
const state = resolve(options.persistTo)
const root = resolve(import.meta.dirname, '..')

const lines = await withBindings({ persistTo: state }, prepare)
// Older configurations logged requests with their query strings: delete those logs.
await rm(join(state, 'v3/observability'), { recursive: true, force: true })
serve(await readLocalJwks(state), (await ensureLocalWebhookKey(state)).file, () => {
  console.log(`\n${lines.join('\n\n')}\n`)
  runCronTrigger()
})

/** Loads the demo into an empty state, and returns the lines to print once the service is ready. */
async function prepare(bindings: Databases): Promise<string[]> {
  const organisations = await listOrganisations(bindings.DB)
  const others = organisations.filter(({ id }) => id !== demoOrganisation.id)
  if (others.length === 0 && !(await isDemoLoaded(bindings.DB))) {
    await loadDemo(bindings)
    const membership = { organisationId: demoOrganisation.id, email: localClaims.administrator }
    await addUser(bindings.DB, { ...membership, role: 'admin', by })
  }
  const address = `http://localhost:${port}`
  const pages = `The API reference: ${address}/docs\nThe dashboard:     ${address}/dashboard`
  if (others.length > 0 && others.length === organisations.length) {
    return [
      'Create a key for your data: npm run admin -- key create <organisation> --name <name>',
      pages,
    ]
  }
  const { administrator } = localClaims
  const key = await ensureLocalKey(bindings, state, demoOrganisation.id, by)
  return [
    `A token of the demo's administrator, ${administrator}, for twelve hours:`,
    `  ${await createLocalToken(state, administrator)}`,
    `The key of the demo organisation, ${demoOrganisation.name}, the same at every start:`,
    `  ${key}`,
    `  curl -H 'x-api-key: ${key}' '${address}/api/v1/members?limit=2'`,
    `The demo's events, open to anyone: ${address}${demoPages.events}\nA form to answer:                 ${address}${demoPages.form}`,
    pages,
  ]
}

function serve(jwks: string, secrets: string, greet: () => void): void {
  const args = [
    ...['--port', port, '--persist-to', state],
    // Includes the file that wrangler reads by default.
    ...[join(root, '.dev.vars'), secrets]
      .filter(existsSync)
      .flatMap((file) => ['--env-file', file]),
    ...['--var', `LOCAL_JWKS:${jwks}`],
    ...['--var', `LOCAL_WEBHOOKS:${options.allowLocalWebhooks}`],
    ...['--var', `OWN_HOSTS:localhost:${port}`],
  ]
  const server = spawn(
    process.execPath,
    [wranglerPath, 'dev', 'src/local.ts', '--show-interactive-dev-session=false', ...args],
    {
      cwd: root,
      env: {
        ...process.env,
        WRANGLER_SEND_METRICS: 'false',
        // The Worker ignores a request's location, so wrangler need not look it up.
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        // Wrangler would store every request permanently, with personal data in its query string.
        X_LOCAL_OBSERVABILITY: 'false',
        ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      },
      stdio: ['inherit', 'pipe', 'inherit'],
    },
  )
  let isStarting = true
  server.stdout.on('data', (output: Buffer) => {
    process.stdout.write(output)
    // Wrangler prints its own summary at start, so these lines come after it.
    if (isStarting && output.includes('Ready on')) {
      isStarting = false
      greet()
    }
  })
  server.on('exit', (code) => process.exit(code ?? 0))
  process.on('exit', () => server.kill())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
}

/** Runs the Cron Trigger's work every minute. Also runs it at start, because local queues do not survive a restart. */
function runCronTrigger(): void {
  const trigger = () =>
    // A reload makes a request fail; the next run catches up.
    fetch(`http://localhost:${port}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => {})
  trigger()
  setInterval(trigger, 60_000).unref()
}
