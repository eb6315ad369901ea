import type { Field, Schema } from '../../model/properties/schema.ts'
import {
  askableFields,
  readPublicPages,
  type Site,
  savePublicPages,
} from '../../sign-up/public-pages.ts'
import { readSchemas } from '../../store/settings/schemas.ts'
import type { Administration } from './administration.ts'

/** The input for new settings: a `logo` of undefined stays, null removes it. */
type PublicPagesInput = { enabled: boolean; settings: unknown; logo?: Uint8Array | null }

/** The operations on an organisation's public pages. */
export const organisationPublicPages = ({ bindings, store }: Administration) => {
  const readSchema = async (): Promise<Schema> =>
    (await readSchemas(bindings.DB, store.organisationId)).members ?? { name: '', fields: [] }
  return {
    /** The settings, and the fields of the members' schema that the sign-up form can ask for. */
    async read(): Promise<{ site: Site; fields: Field[] }> {
      const [site, schema] = await Promise.all([readPublicPages(store), readSchema()])
      return { site, fields: askableFields(schema) }
    },

    /** Saves the settings. Throws 400 with every validation error. */
    async save(input: PublicPagesInput): Promise<void> {
      await savePublicPages(store, await readSchema(), input)
    },
  }
}
