import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { takeModules } from './noted-modules.ts'

/* A program that sends requests to the local state in a folder. Prints those that fail and the modules of Zod and ipaddr.js that they load. */

// The uses of keys are written at once, not 25 seconds later.
Object.assign(timers, { setTimeout: async () => {} })
syncBuiltinESMExports()

const { withBindings } = await import('../../cli/state/bindings.ts')
const { app } = await import('../../src/app.ts')
const { state, keys, paths } = JSON.parse(process.argv[2] ?? '')

const tasks: Promise<unknown>[] = []
const context = {
  waitUntil: (task: Promise<unknown>) => void tasks.push(task),
  passThroughOnException() {},
  props: {},
}

await withBindings({ persistTo: state }, async (bindings) => {
  const unlimited = { limit: async () => ({ success: true }) }
  const env = { ...bindings, RATE_LIMIT_POLICY: '', LIMIT_BY_CREDENTIAL: unlimited }
  const failed: object[] = []
  const send = async (key: string, path: string) => {
    const init = { headers: { 'x-api-key': key } }
    const response = await app.request(`/api/v1/${path}`, init, env, context)
    const body = await response.text()
    if (response.status !== 200) failed.push({ path, body })
  }
  for (const key of keys) await Promise.all(paths.map((path: string) => send(key, path)))
  await Promise.all(tasks)
  const unneeded = takeModules().filter((name) =>
    /^(zod|@hono\/zod-validator|ipaddr\.js)\//.test(name),
  )
  console.log(JSON.stringify({ failed, unneeded }))
})
