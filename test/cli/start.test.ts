import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
let service: ChildProcess | undefined

afterEach(stop)

/** Starts the service as the operator does; its port, and the key and address it printed once it answers. */
async function start() {
  const port = await freePort()
  // A process group of its own, so that nothing it started outlives it.
  service = spawn(process.execPath, ['cli/start.ts', '--port', `${port}`, '--persist-to', folder], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of service.stdout ?? []) {
    output += chunk
    if (output.includes('Ready on')) break
  }
  const [, key = '', url = ''] = /curl -H 'x-api-key: (\S+)' '(\S+)'/.exec(output) ?? []
  return { port, key, url }
}

async function stop() {
  if (!service?.pid || service.exitCode !== null) return
  const exited = once(service, 'exit')
  process.kill(-service.pid, 'SIGTERM')
  await exited
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

const ask = (url: string, key: string) => fetch(url, { headers: { 'x-api-key': key } })

test('a start serves the demo with the key it prints, and the next one finds it again', async () => {
  const first = await start()
  expect(first.url).toBe(`http://localhost:${first.port}/api/v1/members?limit=2`)
  const answer = await ask(first.url, first.key)
  expect(answer.status).toBe(200)
  const page = await answer.json()
  expect(page).toMatchObject({ members: [{}, {}], offset: 0, limit: 2 })
  expect((await ask(first.url, 'sk_another')).status).toBe(401)
  await stop()

  const second = await start()
  for (const key of [first.key, second.key]) {
    expect(await (await ask(second.url, key)).json()).toEqual(page)
  }
  const everyone = new URL('volunteers', second.url)
  expect(await (await ask(everyone.href, second.key)).json()).toMatchObject({ total: 20 })
})
