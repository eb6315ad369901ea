import { env } from 'cloudflare:workers'
import { loadPostcodes } from '../../cli/demo/load-postcodes.ts'
import type { Fact } from '../../cli/demo/postcodes.ts'

/** Puts a directory of these facts in the place of the one that serves. */
export const loadFacts = (edition: string, loaded?: readonly Fact[]) =>
  loadPostcodes(env.GEOGRAPHY, edition, loaded)
