import type { HttpEnv } from '../http/env.ts'
import type { Bindings } from '../platform/bindings.ts'
import type { Records } from '../records/records.ts'
import type { Store } from '../store/store.ts'

/** Hono's environment behind `authenticate`. Its only way to a database is the organisation's store and records. */
export type Env = {
  Bindings: HttpEnv['Bindings']
  Variables: HttpEnv['Variables'] & { store: Store; records: Records }
}

/** Hono's environment for authentication, with all bindings. */
export type WorkerEnv = { Bindings: Bindings; Variables: Env['Variables'] }
