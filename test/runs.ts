import { env } from 'cloudflare:workers'

/** How often fast-check runs a property: a quarter as often as it names, and 100 times as often with `npm run test:long`. */
export const runs = (named: number) => ({ numRuns: Math.ceil(named * env.TEST_RUNS) })
