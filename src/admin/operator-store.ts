import type { Store } from '../store/store.ts'
import { trustedStore } from '../store/trusted-store.ts'

// Another process may be writing to the same files, and for longer than a request would wait.
const timeoutMs = 150_000

/** An organisation's records for the operator, who needs no key. */
export const operatorStore = (d1: D1Database, organisationId: string): Store =>
  trustedStore(d1, organisationId, { by: 'command line' }, timeoutMs)
