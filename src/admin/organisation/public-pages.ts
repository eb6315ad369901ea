import type { Field, Schema } from '../../model/properties/schema.ts'
import { readPublishing, saveSessionPublishing } from '../../publishing/settings.ts'
import {
  askableFields,
  readPublicPages,
  type Site,
  savePublicPages,
} from '../../sign-up/public-pages.ts'
import { readSchemas } from '../../store/settings/schemas.ts'
import type { Administration } from './administration.ts'

/** The input for new settings: a `logo` of undefined stays, null removes it. */
type PublicPagesInput = {
  enabled: boolean
  settings: unknown
  logo?: Uint8Array | null
  publishesSessions: boolean
}

/** The operations on an organisation's public pages. */
export const organisationPublicPages = ({ bindings, store }: Administration) => {
  const readSchema = async (): Promise<Schema> =>
    (await readSchemas(bindings.DB, store.organisationId)).members ?? { name: '', fields: [] }
  return {
    /** The settings, the fields of the members' schema that the sign-up form can ask for, and whether sessions are open data. */
    async read(): Promise<{ site: Site; fields: Field[]; publishesSessions: boolean }> {
      const [site, schema, { publishing }] = await Promise.all([
        readPublicPages(store),
        readSchema(),
        readPublishing(store),
      ])
      return {
        site,
        fields: askableFields(schema),
        publishesSessions: publishing.sessions.isOn,
      }
    },

    /** Saves the settings. Throws 400 with every validation error. */
    async save({ publishesSessions, ...pages }: PublicPagesInput): Promise<void> {
      const [schema, { publishing }] = await Promise.all([readSchema(), readPublishing(store)])
      await savePublicPages(store, schema, pages)
      if (publishesSessions !== publishing.sessions.isOn)
        await saveSessionPublishing(store, publishesSessions)
    },
  }
}
