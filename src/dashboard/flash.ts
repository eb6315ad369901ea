import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as z from 'zod'
import { attributes, type DashboardEnv } from '../auth/signed-in.ts'

const Flash = z.object({
  /** What was done, in a sentence. */
  notice: z.string().optional(),
  /** A key that was just made, whole. */
  secret: z.string().optional(),
})

const cookie = 'flash'
const seconds = 60

/** Sends the browser to a page that tells once what was done: to load that again does nothing again. */
export function redirectTelling(
  c: Context<DashboardEnv>,
  path: string,
  told: z.infer<typeof Flash>,
): Response {
  setCookie(c, cookie, JSON.stringify(told), {
    ...attributes,
    sameSite: 'Strict',
    maxAge: seconds,
  })
  return c.redirect(path, 303)
}

/** What the page is to tell, this once. */
export function flashOf(c: Context<DashboardEnv>): z.infer<typeof Flash> {
  const text = getCookie(c, cookie, 'host')
  if (text === undefined) return {}
  deleteCookie(c, cookie, attributes)
  try {
    return Flash.parse(JSON.parse(text))
  } catch {
    return {}
  }
}
