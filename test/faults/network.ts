import { setTimeout } from 'node:timers/promises'
import { type Request, Response } from 'miniflare'

/** How a host of the tests' network answers: its pages by path, and how late, or that it is down; and where it redirects to. */
export type Host = {
  pages: Record<string, unknown>
  milliseconds?: number
  isDown?: boolean
  redirects?: Record<string, string>
}

const hosts = new Map<string, Host & { asked: string[] }>()

/** What every fetch of the Worker comes to: a host is set up by PUT, and tells by POST what it was asked for, unless that brings a message of a webhook. */
export async function network(request: Request): Promise<Response> {
  const { host, pathname } = new URL(request.url)
  const known = hosts.get(host) ?? { pages: {}, asked: [] }
  if (request.method === 'PUT') {
    hosts.set(host, { ...((await request.json()) as Host), asked: known.asked })
    return Response.json({})
  }
  const isMessage = request.headers.has('webhook-id')
  if (request.method === 'POST' && !isMessage) return Response.json(known.asked)
  known.asked.push(isMessage ? `${pathname} ${await request.text()}` : pathname)
  if (known.isDown) throw new Error('Nobody is there.')
  await setTimeout(known.milliseconds ?? 0, undefined, { ref: false })
  const moved = known.redirects?.[pathname]
  if (moved) return Response.redirect(moved, 308)
  const page = known.pages[pathname]
  return page ? Response.json(page) : new Response('', { status: 404 })
}
