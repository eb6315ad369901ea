import { isTrial, type TrialSettings } from '../../platform/trial.ts'
import { readPublicPages } from '../../sign-up/public-pages.ts'
import type { Store } from '../../store/store.ts'
import type { PublicSite } from '../ui/site.ts'

/** Reads what the pages of an organisation show on each of them. */
export const readSite = async (
  env: TrialSettings,
  store: Store,
  isEmbedded = false,
): Promise<PublicSite> => ({
  ...(await readPublicPages(store)),
  organisationId: store.organisationId,
  isEmbedded,
  isTrial: isTrial(env),
})
