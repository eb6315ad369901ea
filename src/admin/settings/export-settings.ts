import { parseRestrictions } from '../../access/restriction-effects.ts'
import { parseMapping } from '../../import/mapping/inspect-file.ts'
import { listMappings } from '../../store/imports/mappings.ts'
import { listKeys } from '../../store/settings/list-keys.ts'
import { readOrganisation } from '../../store/settings/organisation.ts'
import { findPublicPages } from '../../store/settings/public-pages.ts'
import { listRules } from '../../store/settings/retention.ts'
import { listAllSavedViews } from '../../store/settings/saved-views.ts'
import { listEventQuestions } from '../../store/sign-up/event-questions.ts'
import { listWebhooks } from '../../store/webhooks/list-webhooks.ts'
import { hostOf } from '../../webhooks/address.ts'
import { operatorStore } from '../operator-store.ts'

/** The settings of an organisation for `settings.json`, without secrets and users, and their number. */
export async function exportSettings(
  d1: D1Database,
  organisationId: string,
): Promise<{ settings: object; count: number }> {
  const store = operatorStore(d1, organisationId)
  const organisation = await readOrganisation(store)
  const pages = await findPublicPages(store)
  const mappings = await listMappings(store)
  const lists = {
    retention: (await listRules(store)).map(({ collection, field, age }) => ({
      collection,
      field,
      age,
    })),
    eventQuestions: await Array.fromAsync(listEventQuestions(store)),
    savedViews: (await listAllSavedViews(store)).map(({ page, name, query }) => ({
      page,
      name,
      query,
    })),
    // An earlier version of the service may have saved a mapping that no file can use any more.
    importMappings: mappings.flatMap(({ headings, mapping }) => {
      const parsed = parseMapping(mapping)
      return 'mapping' in parsed ? [{ headings, mapping: parsed.mapping }] : []
    }),
    keys: (await listKeys(store)).map((key) => ({
      name: key.name,
      permissions: key.permissions.split(','),
      restrictions: parseRestrictions(key.restrictions),
      expires: key.expires,
      state: key.state,
    })),
    webhooks: (await listWebhooks(store))
      .filter(({ keyId }) => keyId === null)
      .map(({ url, collections, changes, state }) => ({
        host: hostOf(url),
        collections,
        changes,
        state,
      })),
  }
  return {
    settings: {
      managedBy: organisationId,
      ...organisation,
      ...(pages && { publicPages: { ...pages, settings: JSON.parse(pages.settings) } }),
      ...lists,
    },
    // The name, the days for previous versions, and the public pages.
    count: Object.values(lists).reduce((sum, list) => sum + list.length, pages ? 3 : 2),
  }
}
