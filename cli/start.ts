import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { createSetUpCode } from '../src/auth/one-time-codes.ts'
import { prepareDemo } from './prepare-demo.ts'
import { serve } from './serve.ts'
import { localState, migrateDatabases, openState } from './state/bindings.ts'
import { readLocalJwks } from './state/local-tokens.ts'
import { ensureLocalWebhookKey } from './state/webhook-key.ts'
import { CommandError } from './terminal/report.ts'
import { describeSetUpCode } from './terminal/set-up-code.ts'

const { port, persistTo, allowLocalWebhooks, demo } = new Command('npm start --')
  .description('Run the service on this machine, with a demo organisation.')
  .option('--port <number>', 'the port it listens on', parsePort, 8787)
  .option('--persist-to <folder>', 'the folder of its state', localState)
  .option('--allow-local-webhooks', 'also send webhooks to this machine', false)
  .option('--no-demo', 'begin as a new deployment does, with a setup code instead of the demo')
  .parse()
  .opts<{ port: number; persistTo: string; allowLocalWebhooks: boolean; demo: boolean }>()
const address = `http://localhost:${port}`
const state = resolve(persistTo)

try {
  await requireFreePort()
  const lines = await prepareState()
  // Older configurations logged requests with their query strings: delete those logs.
  await rm(join(state, 'v3/observability'), { recursive: true, force: true })
  await serve({
    port,
    state,
    vars: {
      // Without the demo, its administrator cannot sign in with one click.
      ...(demo && { LOCAL_JWKS: await readLocalJwks(state) }),
      LOCAL_WEBHOOKS: String(allowLocalWebhooks),
      OWN_HOSTS: `localhost:${port}`,
      WEBHOOK_KEY: await ensureLocalWebhookKey(state),
    },
  })
  console.log(`\n${lines.join('\n\n')}\n`)
  runCronTrigger()
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  console.error(error.message)
  process.exit(1)
}

/** Throws CommandError if the port cannot be used. A second service on the same state would fail with an unclear error of its database. */
async function requireFreePort(): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    const reason = code === 'EADDRINUSE' ? 'in use by another program' : `not available (${code})`
    throw new CommandError(`Port ${port} is ${reason}: choose another with --port.`)
  })
  server.close()
  await once(server, 'close')
}

/** Migrates the databases, loads the demo into new ones or makes a setup code, and returns the lines to print once the service runs. */
async function prepareState(): Promise<string[]> {
  const { env, dispose } = await openState(state)
  try {
    for (const [database, names] of await migrateDatabases(env))
      if (names.length > 0) console.log(`Migrations applied to ${database}: ${names.join(', ')}`)
    if (demo) return await prepareDemo(env, { state, address })
    const code = await createSetUpCode(env.DB)
    return code === undefined
      ? [`The dashboard: ${address}/dashboard`]
      : [describeSetUpCode(code, address).join('\n')]
  } finally {
    await dispose()
  }
}

/** Runs the Cron Trigger's work every minute. Also runs it at start, because local queues do not survive a restart. */
function runCronTrigger(): void {
  const trigger = () =>
    // A reload makes a request fail; the next run catches up.
    fetch(`${address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => {})
  trigger()
  setInterval(trigger, 60_000).unref()
}

function parsePort(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= 65_535) return number
  throw new InvalidArgumentError('It must be a whole number from 1 to 65535.')
}
