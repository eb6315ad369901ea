import type { Store } from '../store/store.ts'
import { trustedStore } from '../store/trusted-store.ts'

// Another process may write to the same files for longer than a request would wait.
const timeoutMs = 150_000

/** Opens an organisation's records for the operator, who needs no key. */
export const operatorStore = (d1: D1Database, organisationId: string): Store =>
  trustedStore(d1, organisationId, { by: 'command line' }, timeoutMs)
