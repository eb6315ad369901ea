import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { wranglerPath } from './deployment/wrangler.ts'
import { prepareDemo } from './prepare-demo.ts'
import { localState, withBindings } from './state/bindings.ts'
import { readLocalJwks } from './state/local-tokens.ts'
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

const lines = await withBindings({ persistTo: state }, (bindings) =>
  prepareDemo(bindings, { state, address: `http://localhost:${port}` }),
)
// Older configurations logged requests with their query strings: delete those logs.
await rm(join(state, 'v3/observability'), { recursive: true, force: true })
serve(await readLocalJwks(state), (await ensureLocalWebhookKey(state)).file, () => {
  console.log(`\n${lines.join('\n\n')}\n`)
  runCronTrigger()
})

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
