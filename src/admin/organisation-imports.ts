import { ApiError } from '../model/api-error.ts'
import type { Author } from '../model/author.ts'
import type { Kind, Schema } from '../model/schema.ts'
import { withTimeout } from '../platform/timeout.ts'
import { findMapping, saveMapping } from '../store/import-mappings.ts'
import { recordsInChunks } from '../store/read/chunks.ts'
import { replaceSchema } from '../store/schemas.ts'

/** What importing a file as it comes keeps of one organisation, and of no other, beside its records. */
export type OrganisationImports = ReturnType<typeof organisationImports>

/** How files were read, by the digest of their headings, and the fields that `author` adds to the schemas for them. */
export const organisationImports = (
  d1: D1Database,
  organisationId: string,
  author: Author & { by: 'person' },
) => ({
  findMapping: (headings: string) => withTimeout(findMapping(d1, { organisationId, headings })),
  saveMapping: (headings: string, mapping: string) =>
    withTimeout(saveMapping(d1, { organisationId, headings }, mapping)),
  /** The forms there are, as JSON texts. */
  async forms(): Promise<string[]> {
    const forms = await Array.fromAsync(recordsInChunks(d1, organisationId, 'forms', 100))
    return forms.flat().map(({ document }) => document)
  },
  /** Keeps a schema with more fields than the one before; 409 where that is no longer the schema. */
  async extendSchema(kind: Kind, schema: Schema, before: Schema | undefined): Promise<void> {
    const addedCount = schema.fields.length - (before?.fields.length ?? 0)
    const act = `added ${addedCount === 1 ? 'a field' : `${addedCount} fields`} to schema`
    const result = await withTimeout(
      replaceSchema(d1, {
        ...{ kind, before, next: schema, author },
        // Nobody has a value in a field that is new.
        ...{ people: [], version: Number.MAX_SAFE_INTEGER },
        act: { organisationId, actor: author.name, act, target: kind },
      }),
    )
    if (result) return
    throw new ApiError(
      'CONFLICT',
      `Somebody else changed the schema of ${kind} meanwhile: look again at what would happen.`,
    )
  },
})
