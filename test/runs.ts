import { env } from 'cloudflare:workers'

/** How often fast-check runs a property: half as often as it names with `npm test`, a quarter with `npm run test:quick`, 100 times as often with `npm run test:long`. */
export const runs = (named: number) => ({ numRuns: Math.ceil(named * env.TEST_RUNS) })
