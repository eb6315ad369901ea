import { env } from 'cloudflare:workers'

/** The number of runs of a property: a quarter of `named`, or 100 times as many with `npm run test:long`. */
export const runs = (named: number) => ({ numRuns: Math.ceil(named * env.TEST_RUNS) })
