import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { putSchemas } from '../../../src/store/settings/schemas.ts'
import { administeredStore } from '../../../src/store/trusted-store.ts'
import { listAttempts } from '../../../src/store/webhooks/list-webhooks.ts'
import { resendMessage } from '../../../src/store/webhooks/resend.ts'
import { removeWebhook } from '../../../src/store/webhooks/webhooks.ts'
import { addWebhook } from '../../../src/webhooks/new-secret.ts'
import { createKey } from '../../keys.ts'
import { localWorker } from '../local-worker.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { isInstalled, run } from './served.ts'

const worker = await localWorker()
const { key } = await createKey(worker.env, worker.organisationId, 'receivers', 'a test')
const env = { ...process.env, API_URL: `${worker.url.origin}/api/v1`, API_KEY: key }
const folder = await temporaryFolder()
const name = {
  id: 'Full Name',
  name: 'Full Name',
  label: 'Full Name',
  type: 'text',
  order: 0,
} as const
await putSchemas(worker.env.DB, worker.organisationId, {
  members: { name: 'Member Schema', fields: [name] },
})

describe.each([
  {
    language: 'TypeScript',
    missing: false,
    receiver: [process.execPath, 'examples/typescript/receiver.ts'],
  },
  {
    language: 'Python',
    missing: !isInstalled('python3'),
    receiver: ['python3', 'examples/python/receiver.py'],
  },
])('a receiver in $language', ({ language, missing, receiver: [program = '', ...args] }) => {
  test.skipIf(missing)('does not start without a secret', async () => {
    for (const secret of [undefined, '', 'whsec_', 'whsec_AAAA']) {
      // Where it starts all the same, it is stopped.
      const started = run(program, args, {
        env: { ...env, WEBHOOK_SECRET: secret, PORT: `${await freePort()}`, SEEN: '/dev/null' },
        timeout: 10_000,
      })
      await expect(started).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^WEBHOOK_SECRET must be the secret of the webhook/),
      })
    }
  })

  test.skipIf(missing)('accepts each signed message once and rejects all others', async () => {
    const port = await freePort()
    const { env: bindings, organisationId } = worker
    const url = `http://localhost:${port}/`
    const webhook = { url, collections: ['members'], changes: ['created'] }
    const store = administeredStore(bindings.DB, organisationId, 'a test')
    const { id, secret } = await addWebhook(bindings, store, webhook)
    const receiver = spawn(program, args, {
      env: { ...env, WEBHOOK_SECRET: secret, PORT: `${port}`, SEEN: `${folder}/seen-${language}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      await once(receiver.stderr, 'data')
      const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
      const next = async () => JSON.parse((await lines.next()).value ?? '')
      const headers = { 'x-api-key': env.API_KEY, 'Content-Type': 'application/json' }
      const create = (name: string) =>
        fetch(`${env.API_URL}/members`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ 'Full Name': name }),
        })
      await create('One')
      const first = await next()
      expect(first).toMatchObject({ type: 'member.created', data: { changed: ['Full Name'] } })
      await expect.poll(() => listAttempts(store, id)).toHaveLength(1)
      const [attempt] = await listAttempts(store, id)
      expect(attempt?.status).toBe(204)
      // The same once more, and then another: the receiver prints the other alone.
      await resendMessage(store, id, String(attempt?.messageId))
      await create('Two')
      expect((await next()).data.id).not.toBe(first.data.id)
      await expect.poll(() => listAttempts(store, id)).toHaveLength(3)
      const forged = { method: 'POST', body: '{}', headers: { 'webhook-id': 'x' } }
      expect((await fetch(url, forged)).status).toBe(401)
    } finally {
      receiver.kill()
      await removeWebhook(store, id)
    }
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
