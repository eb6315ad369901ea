import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as z from 'zod'
import { cookieAttributes, type DashboardEnv } from '../session/signed-in.ts'

const Flash = z.object({
  /** What was done, in a sentence. */
  notice: z.string().optional(),
  /** A key that was just made, whole. */
  secret: z.string().optional(),
})

const cookieName = 'flash'
const maxAgeSeconds = 60

/** Sends the browser to a page that tells once what was done: to load that again does nothing again. */
export function redirectWithFlash(
  c: Context<DashboardEnv>,
  path: string,
  flash: z.infer<typeof Flash>,
): Response {
  setCookie(c, cookieName, JSON.stringify(flash), {
    ...cookieAttributes,
    sameSite: 'Strict',
    maxAge: maxAgeSeconds,
  })
  return c.redirect(path, 303)
}

/** What the page is to tell, this once. */
export function takeFlash(c: Context<DashboardEnv>): z.infer<typeof Flash> {
  const text = getCookie(c, cookieName, 'host')
  if (text === undefined) return {}
  deleteCookie(c, cookieName, cookieAttributes)
  try {
    return Flash.parse(JSON.parse(text))
  } catch {
    return {}
  }
}
