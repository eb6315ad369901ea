import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createKey } from '../src/auth/key-acts.ts'
import { local } from '../src/auth/local.ts'
import { addUser } from '../src/auth/memberships.ts'
import { listOrganisations } from '../src/operator/organisations.ts'
import type { Bindings } from '../src/platform/bindings.ts'
import { by } from './commands/action.ts'
import { isDemoLoaded, loadDemo, organisation } from './demo.ts'
import { wrangler } from './deployment/wrangler.ts'
import { localState, withBindings } from './state/bindings.ts'
import { localJwks, localToken } from './state/local-tokens.ts'

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
serve(await localJwks(state))

async function greet(bindings: Bindings): Promise<void> {
  const organisations = await listOrganisations(bindings.DB)
  const others = organisations.filter(({ id }) => id !== organisation.id)
  if (others.length === 0 && !(await isDemoLoaded(bindings.DB))) {
    await loadDemo(bindings)
    const membership = { organisationId: organisation.id, email: local.administrator }
    await addUser(bindings.DB, { ...membership, role: 'admin', by })
  }
  if (others.length > 0 && others.length === organisations.length) {
    console.log(
      'Make a key for your data: npm run admin -- key create <organisation> --name <name>\n',
    )
    return
  }
  const { key } = await createKey(bindings, organisation.id, 'npm start', by)
  console.log(`A key for the demo organisation, ${organisation.name}:\n\n  ${key}\n`)
  console.log(`  curl -H 'x-api-key: ${key}' 'http://localhost:${port}/api/v1/members?limit=2'\n`)
  const token = await localToken(state, local.administrator)
  console.log(
    `A token of its administrator, ${local.administrator}, for twelve hours:\n\n  ${token}\n`,
  )
  console.log(`The dashboard: http://localhost:${port}/dashboard\n`)
}

function serve(jwks: string): void {
  const options = { port, 'persist-to': state, var: `LOCAL_JWKS:${jwks}` }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const server = spawn(
    process.execPath,
    [wrangler, 'dev', 'src/local.ts', '--show-interactive-dev-session=false', ...args],
    {
      cwd: root,
      // Nothing here looks at where a request comes from, so wrangler need not ask the network.
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
      stdio: 'inherit',
    },
  )
  server.on('exit', (code) => process.exit(code ?? 0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
}
