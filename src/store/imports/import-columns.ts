import { sql } from 'drizzle-orm/sql'
import type { ChangeSource } from '../../model/author.ts'
import { type Column, integer, nullable, text } from '../columns.ts'

/** The collection of an import, its file, if any, the field of a bulk edit, or a bulk deletion, and what it comes through. */
export type ImportOrigin = {
  collection: string
  source?: { name: string; size: number } | undefined
  edited?: string
  isDeletion?: boolean
} & Pick<ChangeSource, 'through'>

type OriginColumn<Value> = Column<Value> & { valueFor: (origin: ImportOrigin) => Value }

const maxFileName = 200

/**
 * The columns of `imports` that describe the origin of an import: `RunningImport` writes them when it starts,
 * and every `StoredImport` has them.
 */
export const originColumns = {
  collection: { ...text(sql`collection`), valueFor: ({ collection }) => collection },
  /** The file's name without its folders; null if it is unknown or was removed with the previous versions. */
  file: {
    ...nullable(text(sql`file`)),
    valueFor: ({ source }) => source?.name.replace(/^.*[/\\]/, '').slice(0, maxFileName) ?? null,
  },
  /** The label of the field that a bulk edit changed; null for the import of a file. */
  edited: { ...nullable(text(sql`edited`)), valueFor: ({ edited }) => edited ?? null },
  /** The number of records that a bulk deletion deleted; null for an import and a bulk edit. */
  deleted: {
    ...nullable(integer(sql`imports.deleted`)),
    valueFor: ({ isDeletion = false }) => (isDeletion ? 0 : null),
  },
} as const satisfies Record<string, OriginColumn<string | null> | OriginColumn<number | null>>
