import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { resources } from '../../src/resources/resources.ts'

// Hono takes a slow router, at a twentieth of the CPU of a request, for routes that its fast one cannot tell apart.
test.each(Object.entries(resources))('the routes of /%s have the fast router', async (_, load) => {
  const app = new Hono().route('/', (await load()).routes)
  app.router.match('GET', '/')
  expect(app.router.name).toBe('SmartRouter + RegExpRouter')
})
