import { isLoopback } from '../platform/loopback.ts'

/** The paths of pages, which people open in a browser. */
const pagePath = /^\/($|docs|dashboard|o\/)/

/**
 * The response to a request without TLS; undefined for one with TLS or to a loopback host. Browsers that
 * open a page are sent to https. Programs get an error: after a redirect, nobody would notice that a
 * program sends its key unencrypted.
 */
export function refuseWithoutTls({ url, method }: Request): Response | undefined {
  if (url.startsWith('https:')) return undefined
  const address = new URL(url)
  if (isLoopback(address.hostname)) return undefined
  if (method === 'GET' && pagePath.test(address.pathname)) {
    address.protocol = 'https:'
    return Response.redirect(address.href, 308)
  }
  return Response.json(
    {
      type: 'FORBIDDEN',
      message: 'Use https://. Replace a key that was sent without TLS: others may have read it.',
    },
    { status: 403, headers: { 'Cache-Control': 'private, no-store' } },
  )
}
