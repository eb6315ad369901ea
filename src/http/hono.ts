import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import type { BlankEnv, BlankSchema, Env, H, RouterRoute, Schema } from 'hono/types'

/**
 * Hono with a router that prepares nothing: the default one builds patterns from all routes, which takes a new isolate
 * longer than they save later.
 */
export class Hono<
  E extends Env = BlankEnv,
  S extends Schema = BlankSchema,
  BasePath extends string = '/',
> extends HonoBase<E, S, BasePath> {
  override router = new TrieRouter<[H, RouterRoute]>()
}
