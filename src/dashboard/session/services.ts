import { organisationImports } from '../../admin/organisation/imports.ts'
import { organisationKeys } from '../../admin/organisation/keys.ts'
import { organisationPeople } from '../../admin/organisation/people.ts'
import { organisationPublicPages } from '../../admin/organisation/public-pages.ts'
import { organisationRetention } from '../../admin/organisation/retention.ts'
import { organisationSchemas } from '../../admin/organisation/schemas.ts'
import { organisationWebhooks } from '../../admin/organisation/webhooks.ts'
import type { Bindings } from '../../platform/bindings.ts'
import type { Store } from '../../store/store.ts'

type ServiceInput = {
  env: Bindings
  /** The bindings with the organisation's database in place of the main one. */
  recordsEnv: Bindings
  store: Store
  /** The name of the user, who is the actor of the audit log. */
  name: string
  /** The host of the service, which webhooks must not call. */
  host: string
}

/** The operations on the settings and imports of an organisation. */
export const openServices = ({ env, recordsEnv, store, name, host }: ServiceInput) => {
  const { organisationId } = store
  return {
    imports: organisationImports(recordsEnv.DB, organisationId, {
      by: 'person',
      name,
      through: 'dashboard',
    }),
    keys: organisationKeys(recordsEnv, store),
    people: organisationPeople(env.DB, organisationId, name),
    publicPages: organisationPublicPages(recordsEnv.DB, store),
    retention: organisationRetention(recordsEnv, store),
    schemas: organisationSchemas(recordsEnv.DB, store),
    webhooks: organisationWebhooks(recordsEnv, store, host),
  }
}

export type OrganisationServices = ReturnType<typeof openServices>
