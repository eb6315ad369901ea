import { createMiddleware } from 'hono/factory'
import type { Site } from './site.ts'

type SiteEnv = {
  Variables: { site: Site; frameAncestors: readonly string[]; scripts: readonly string[] }
}

/**
 * Sets the security headers of a public page: no script and no resource of another origin, except
 * `scripts` (origins), and no frame, except an embedded page in those that the organisation allows.
 */
export const publicHeaders = createMiddleware<SiteEnv>(async (c, next) => {
  await next()
  const { site, frameAncestors = [], scripts = [] } = c.var
  const mayFrame = site?.isEmbedded && frameAncestors.length > 0
  const sources = (origins: readonly string[]) => origins.join(' ') || "'none'"
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripts.length > 0
      ? [`script-src ${sources(scripts)}`, `frame-src ${sources(scripts)}`]
      : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${mayFrame ? sources(frameAncestors) : "'none'"}`,
  ]
  const { headers } = c.res
  headers.set('Content-Security-Policy', policy.join('; '))
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
  if (!mayFrame) headers.set('X-Frame-Options', 'DENY')
})
