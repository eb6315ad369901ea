import { setTimeout } from 'node:timers/promises'
import { type Request, Response } from 'miniflare'

/** A host of the test network: its pages and redirects by path, its delay, or that it is down. */
export type Host = {
  pages: Record<string, unknown>
  milliseconds?: number
  isDown?: boolean
  redirects?: Record<string, string>
}

const hosts = new Map<string, Host & { requests: string[] }>()

/** Receives every fetch of the Worker. A PUT configures a host; a POST returns the requests it received, unless the POST is a webhook message. */
export async function network(request: Request): Promise<Response> {
  const { host, pathname } = new URL(request.url)
  const known = hosts.get(host) ?? { pages: {}, requests: [] }
  if (request.method === 'PUT') {
    hosts.set(host, { ...((await request.json()) as Host), requests: known.requests })
    return Response.json({})
  }
  const isMessage = request.headers.has('webhook-id')
  if (request.method === 'POST' && !isMessage) return Response.json(known.requests)
  known.requests.push(isMessage ? `${pathname} ${await request.text()}` : pathname)
  if (known.isDown) throw new Error('Nobody is there.')
  await setTimeout(known.milliseconds ?? 0, undefined, { ref: false })
  const moved = known.redirects?.[pathname]
  if (moved) return Response.redirect(moved, 308)
  const page = known.pages[pathname]
  return page ? Response.json(page) : new Response('', { status: 404 })
}
