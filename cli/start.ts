import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createKey } from '../src/auth/api-keys.ts'
import type { Bindings } from '../src/env.ts'
import { listOrganisations } from '../src/store/organisations.ts'
import { organisation } from './demo/demo.ts'
import { loadDemo } from './demo/load-demo.ts'
import { localState, withBindings } from './platform.ts'

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    'persist-to': { type: 'string', default: localState },
  },
})
const { port } = options
const state = resolve(options['persist-to'])
const root = resolve(import.meta.dirname, '..')

await withBindings({ persistTo: state }, greet)
serve()

async function greet(bindings: Bindings): Promise<void> {
  const organisations = await listOrganisations(bindings.DB)
  if (organisations.length === 0) await loadDemo(bindings.DB)
  else if (!organisations.some(({ id }) => id === organisation.id)) {
    console.log(
      'Make a key for your data: npm run admin -- key create <organisation> --name <name>\n',
    )
    return
  }
  const { key } = await createKey(bindings, organisation.id, 'npm start')
  console.log(`A key for the demo organisation, ${organisation.name}:\n\n  ${key}\n`)
  console.log(`  curl -H 'x-api-key: ${key}' 'http://localhost:${port}/api/v1/members?limit=2'\n`)
}

function serve(): void {
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
  const args = [
    'dev',
    '--port',
    port,
    '--persist-to',
    state,
    '--show-interactive-dev-session=false',
  ]
  const server = spawn(process.execPath, [wrangler, ...args], {
    cwd: root,
    // Nothing here looks at where a request comes from, so wrangler need not ask the network.
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
    stdio: 'inherit',
  })
  server.on('exit', (code) => process.exit(code ?? 0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
}
