import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Prints the modules that the first request for events evaluates: their paths in src/ and node_modules/. */
const script = `
  import { registerHooks } from 'node:module'
  const evaluated = []
  registerHooks({
    load(url, context, next) {
      evaluated.push(url)
      return next(url, context)
    },
  })
  const { app } = await import('./src/app.ts')
  const { status } = await app.request('/api/v1/events', {}, { RATE_LIMIT_POLICY: '' })
  const modules = evaluated.flatMap((url) => /\\/(?:src|node_modules)\\/(.*)$/.exec(url)?.[1] ?? [])
  console.log(JSON.stringify({ status, modules }))
`

test('the first request for a resource loads only that resource, and nothing to write it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ])
  const { status, modules } = JSON.parse(stdout)
  expect(status).toBe(401)
  const routes = modules.filter((module: string) =>
    /^(resources(?!\/routes)|import|dashboard)\//.test(module),
  )
  expect(routes).toEqual(['resources/events.ts'])
  // Reading needs no code for bodies, writing or tokens, and only the SQL texts of Drizzle.
  const writing =
    /^(records|sign-up|webhooks|store\/write|resources\/routes\/(write-record|delete|merge|create))\b/
  const libraries =
    /^(@hono\/zod-validator|jose|oauth4webapi|drizzle-orm\/(index|d1|sqlite-core\/index))\b/
  expect(
    modules.filter((module: string) => writing.test(module) || libraries.test(module)),
  ).toEqual([])
})
