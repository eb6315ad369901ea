import { env } from 'cloudflare:workers'

/** What fast-check needs to know of a property: how often it runs: 100 times as often with `npm run test:long`, half as often with `npm run test:quick`. */
export const runs = (usual: number) => ({ numRuns: Math.ceil(usual * env.TEST_RUNS) })
