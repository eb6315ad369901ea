import type { HttpEnv } from '../http/env.ts'
import type { Bindings } from '../platform/bindings.ts'
import type { Records } from '../records/records.ts'
import type { Store } from '../store/store.ts'

/** Hono's environment behind `authenticate`: an organisation's records to read and to write, and no other way to a database. */
export type Env = {
  Bindings: HttpEnv['Bindings']
  Variables: HttpEnv['Variables'] & { store: Store; records: Records }
}

/** Hono's environment where credentials are settled: the databases are at hand. */
export type WorkerEnv = { Bindings: Bindings; Variables: Env['Variables'] }
