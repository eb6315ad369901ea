import type { Store } from '../store/store.ts'
import { trustedStore } from '../store/trusted-store.ts'

/** Opens an organisation's records for the operator, who needs no key. */
export const operatorStore = (d1: D1Database, organisationId: string): Store =>
  trustedStore(d1, organisationId, { by: 'command line' })
