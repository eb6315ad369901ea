import { ApiError } from '../model/api-error.ts'
import type { Author } from '../model/author.ts'
import type { Kind, Schema } from '../model/schema.ts'
import { inTime } from '../platform/in-time.ts'
import { recordsInChunks } from '../store/chunks.ts'
import { keepMapping, keptMapping } from '../store/mappings.ts'
import { replaceSchema } from '../store/schemas.ts'

/** What importing a file as it comes keeps of one organisation, and of no other, beside its records. */
export type OrganisationImports = ReturnType<typeof organisationImports>

/** How files were read, by the digest of their headings, and the fields that `author` adds to the schemas for them. */
export const organisationImports = (
  d1: D1Database,
  organisationId: string,
  author: Author & { by: 'person' },
) => ({
  mapping: (headings: string) => inTime(keptMapping(d1, { organisationId, headings })),
  keepMapping: (headings: string, mapping: string) =>
    inTime(keepMapping(d1, { organisationId, headings }, mapping)),
  /** The forms there are, as JSON texts. */
  async forms(): Promise<string[]> {
    const forms = await Array.fromAsync(recordsInChunks(d1, organisationId, 'forms', 100))
    return forms.flat().map(({ document }) => document)
  },
  /** Keeps a schema with more fields than the one before; 409 where that is no longer the schema. */
  async extendSchema(kind: Kind, schema: Schema, before: Schema | undefined): Promise<void> {
    const added = schema.fields.length - (before?.fields.length ?? 0)
    const act = `added ${added === 1 ? 'a field' : `${added} fields`} to schema`
    const kept = await inTime(
      replaceSchema(d1, {
        ...{ kind, before, next: schema, author },
        // Nobody has a value in a field that is new.
        ...{ people: [], version: Number.MAX_SAFE_INTEGER },
        act: { organisationId, actor: author.name, act, target: kind },
      }),
    )
    if (kept) return
    throw new ApiError(
      'CONFLICT',
      `Somebody else changed the schema of ${kind} meanwhile: look again at what would happen.`,
    )
  },
})
