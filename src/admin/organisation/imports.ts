import { ApiError } from '../../model/api-error.ts'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { pluralise } from '../../platform/pluralise.ts'
import { findMapping, saveMapping } from '../../store/imports/mappings.ts'
import { walkDocuments } from '../../store/read/walk-records.ts'
import { replaceSchema } from '../../store/settings/schemas.ts'
import type { Administration } from './administration.ts'

/**
 * The settings of one organisation that the dashboard's import reads and changes: remembered mappings of columns to
 * fields, and the schemas. `headings` is the digest of a file's headings, which identifies its mapping.
 */
export const organisationImports = ({ store }: Pick<Administration, 'store'>) => ({
  findMapping: (headings: string) => findMapping(store, headings),
  saveMapping: (headings: string, mapping: string) => saveMapping(store, headings, mapping),
  /** Reads all forms, as JSON texts: the columns of a file may be answers to one. */
  async listForms(): Promise<string[]> {
    const forms = await Array.fromAsync(walkDocuments(store, 'forms', 100))
    return forms.flat().map(({ document }) => document)
  },
  /**
   * Saves a schema to which an import adds fields, or options of fields. No person has a value for these yet, so no
   * person changes. Throws 409 if the stored schema is no longer `before`.
   */
  async extendSchema(kind: Kind, schema: Schema, before: Schema | undefined): Promise<void> {
    const addedCount = schema.fields.length - (before?.fields.length ?? 0)
    const added =
      addedCount === 0 ? 'options' : pluralise(addedCount, 'a field', `${addedCount} fields`)
    const isReplaced = await replaceSchema(store, {
      kind,
      before,
      next: schema,
      audit: { action: 'schema.extended', detail: added, target: kind },
    })
    if (isReplaced) return
    throw new ApiError(
      'CONFLICT',
      `Somebody else changed the schema of ${kind}: preview the import again.`,
    )
  },
})
