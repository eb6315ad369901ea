import { env } from 'cloudflare:workers'

/** The number of runs of a property: `count`, or 100 times as many with `npm run test:long`. */
export const runs = (count: number) => ({ numRuns: count * env.TEST_RUNS })
