import type { Bindings } from '../../platform/bindings.ts'
import type { Store } from '../../store/store.ts'

/** An organisation that an administrator opened. A page of the settings opens its operations with it. */
export type Administration = {
  /** The bindings with the organisation's database as `DB`. */
  bindings: Bindings
  store: Store
  /** The organisation's memberships. */
  directory: Store
  /** The host of the service, which webhooks must not call. */
  host: string
}
