import { once } from 'node:events'
import { join } from 'node:path'
import { loadWrangler, repositoryRoot } from './deployment/environment.ts'
import { CommandError } from './terminal/report.ts'

type ServeOptions = {
  port: number
  /** The folder of the state. */
  state: string
  /** The Worker's variables besides those of wrangler.toml and `.dev.vars`. */
  vars: Record<string, string>
}

/**
 * Serves the local Worker on `port` and prints its log; wrangler prints only errors. Changes of the code
 * reload the Worker; a signal stops it. Throws CommandError with the reason if the Worker does not start.
 */
export async function serve({ port, state, vars }: ServeOptions): Promise<void> {
  Object.assign(process.env, {
    WRANGLER_LOG: 'error',
    WRANGLER_SEND_METRICS: 'false',
    // The Worker ignores a request's location, so wrangler need not look it up.
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    // Wrangler would store every request permanently, with personal data in its query string.
    X_LOCAL_OBSERVABILITY: 'false',
  })
  const { unstable_DevEnv } = loadWrangler()
  const server = new unstable_DevEnv()
  const started = Promise.race([
    once(server, 'reloadComplete'),
    once(server, 'buildFailed').then(([failure]) => Promise.reject(failure)),
  ])
  try {
    await Promise.all([server.startWorker(workerOptions({ port, state, vars })), started])
  } catch (error) {
    throw new CommandError(`The service could not start: ${findReason(error)}`)
  }
  server.on('error', (error) => {
    console.error(`The service stopped: ${findReason(error)}`)
    process.exit(1)
  })
}

const workerOptions = ({ port, state, vars }: ServeOptions) => ({
  config: join(repositoryRoot, 'wrangler.toml'),
  entrypoint: join(repositoryRoot, 'src/local.ts'),
  // With `envFiles`, wrangler ignores `.env`, which may be meant for another program.
  envFiles: [join(repositoryRoot, '.dev.vars')],
  bindings: Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [name, { type: 'plain_text', value }]),
  ),
  dev: {
    server: { port },
    persist: state,
    inspector: false,
    watch: true,
    structuredLogsHandler: ({ level, message }: { level: string; message: string }) =>
      level === 'error' || level === 'warn' ? console.error(message) : console.log(message),
  },
})

/** The message of the error at the start of a chain of causes. */
function findReason(error: unknown): string {
  const { message, cause } = error as Error
  return cause ? findReason(cause) : message
}
