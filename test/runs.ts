import { env } from 'cloudflare:workers'

/** The records of a large organisation, whose number a cost must not depend on: 20,000 with `npm run test:long`. */
export const large = env.TEST_RUNS > 1 ? 20_000 : 5000

/** The number of runs of a property: `count`, or 100 times as many with `npm run test:long`. */
export const runs = (count: number) => ({ numRuns: count * env.TEST_RUNS })
