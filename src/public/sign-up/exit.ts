import type { Context } from 'hono'
import type { PublicEnv } from '../access/site-access.ts'
import { forgetBrowser } from './draft.ts'

/** A page that anybody may have open. */
const neutralPage = 'https://www.bbc.co.uk/weather'

/** Forgets what the browser has entered, and leads to the neutral page: the address of the exit link (public/ui/exit-link.tsx). */
export function exitPages(c: Context<PublicEnv>) {
  forgetBrowser(c)
  return c.redirect(neutralPage, 303)
}
