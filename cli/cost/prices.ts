/** What Cloudflare charges for: units per month. */
export type Meter =
  | 'requests'
  | 'cpuMs'
  | 'kvReads'
  | 'kvWrites'
  | 'rowsRead'
  | 'rowsWritten'
  | 'storageGb'
  | 'queueOperations'
  | 'logGb'
  | 'logStorageGb'

/** A price in US dollars for `per` units beyond those that the plan includes each month. */
export type Price = {
  name: string
  included: number
  usd: number
  per: number
  source: string
}

/** The monthly price of the Workers Paid plan in US dollars. */
export const planUsd = 5

const million = 1_000_000
const workers = 'https://developers.cloudflare.com/workers/platform/pricing/'
const kv = 'https://developers.cloudflare.com/kv/platform/pricing/'
const d1 = 'https://developers.cloudflare.com/d1/platform/pricing/'
const queues = 'https://developers.cloudflare.com/queues/platform/pricing/'
const observability = 'https://developers.cloudflare.com/observability/pricing/'

/** The day on which the prices were compared with stored copies of Cloudflare's pages. A GB has a thousand million bytes. */
export const pricesRead = '2026-11-22'

export const prices: Record<Meter, Price> = {
  requests: {
    name: 'Requests',
    included: 10 * million,
    usd: 0.3,
    per: million,
    source: workers,
  },
  cpuMs: {
    name: 'CPU time, ms',
    included: 30 * million,
    usd: 0.02,
    per: million,
    source: workers,
  },
  rowsRead: {
    name: 'D1 rows read',
    included: 25_000 * million,
    usd: 0.001,
    per: million,
    source: d1,
  },
  rowsWritten: {
    name: 'D1 rows written',
    included: 50 * million,
    usd: 1,
    per: million,
    source: d1,
  },
  storageGb: { name: 'D1 storage, GB', included: 5, usd: 0.75, per: 1, source: d1 },
  kvReads: {
    name: 'KV reads',
    included: 10 * million,
    usd: 0.5,
    per: million,
    source: kv,
  },
  kvWrites: { name: 'KV writes', included: million, usd: 5, per: million, source: kv },
  queueOperations: {
    name: 'Queue operations',
    included: million,
    usd: 0.4,
    per: million,
    source: queues,
  },
  // From 1 December 2026. Until then 20 million lines are included, and a million more costs $0.60.
  logGb: { name: 'Logs written, GB', included: 50, usd: 0.25, per: 1, source: observability },
  logStorageGb: {
    name: 'Logs stored, GB',
    included: 12,
    usd: 0.1,
    per: 1,
    source: observability,
  },
}
