import type { HttpEnv } from '../http/env.ts'
import type { Bindings } from '../platform/bindings.ts'
import type { Records } from '../records/records.ts'
import type { Store } from '../store/store.ts'

/**
 * Hono's environment after `authenticate`. Handlers reach the database only through the
 * organisation's store and records.
 */
export type Env = {
  Bindings: HttpEnv['Bindings']
  Variables: HttpEnv['Variables'] & { store: Store; openRecords: () => Promise<Records> }
}

/** Hono's environment for authentication, with all bindings. */
export type WorkerEnv = { Bindings: Bindings; Variables: Env['Variables'] }

/** A function that opens the records for writing. It loads their code, which no read needs. */
export const recordsOpener =
  (store: Store, { GEOGRAPHY, KEYS }: Bindings) =>
  async () => {
    const { Records } = await import('../records/records.ts')
    return new Records(store, GEOGRAPHY, KEYS)
  }
