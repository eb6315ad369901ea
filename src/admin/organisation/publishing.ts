import type { Fund } from '../../publishing/grant.ts'
import { readFunds } from '../../publishing/list-grants.ts'
import { checkReadiness, type Readiness } from '../../publishing/readiness.ts'
import {
  type GrantPublishing,
  readPublishing,
  saveGrantPublishing,
} from '../../publishing/settings.ts'
import type { Administration } from './administration.ts'

/** How an organisation publishes its grants, and which of them are ready. */
export type PublishedGrants = {
  settings: GrantPublishing
  funds: readonly Fund[]
  readiness: Readiness
}

/** The operations on an organisation's open data. */
export const organisationPublishing = ({ bindings, store }: Administration) => ({
  /** The settings and the readiness of the grants, with the ready grant at an index. */
  async read(previewIndex: number): Promise<PublishedGrants> {
    const [{ publishing }, funds] = await Promise.all([readPublishing(store), readFunds(store)])
    const { GEOGRAPHY } = bindings
    const readiness = await checkReadiness(store, GEOGRAPHY, publishing, funds, previewIndex)
    return { settings: publishing.grants, funds: [...funds.values()], readiness }
  },

  /** Saves the settings. Throws 400 with every validation error. */
  save: (input: unknown): Promise<void> => saveGrantPublishing(store, input),
})
