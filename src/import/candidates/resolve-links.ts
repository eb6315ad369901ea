import { collectionTitle } from '../../model/collection.ts'
import type { RecordDestination } from '../destination/destination.ts'
import { lookupFields } from '../mapping/lookups.ts'
import type { Lookup } from '../mapping/mapping.ts'
import { foldText } from '../parse/text.ts'
import type { Schemas } from '../targets/open-schema.ts'
import type { ConvertedRow, UnresolvedLink } from './convert-row.ts'

/**
 * Sets the ids of linked records in rows. A missing or ambiguous record is an error if the
 * reference is required, else a warning; an unknown id stays, because its record may follow.
 */
export async function resolveLinks(
  destination: RecordDestination,
  schemas: Schemas,
  rows: readonly ConvertedRow[],
): Promise<void> {
  const requests = rows.flatMap((row) => row.links.map((link) => ({ row, link })))
  const groups = Map.groupBy(requests, ({ link }) =>
    JSON.stringify([link.targetField.reference?.to, link.column.by ?? 'id']),
  )
  for (const [groupKey, links] of groups) {
    const [collection, by]: [string, Lookup] = JSON.parse(groupKey)
    const texts = new Set(links.flatMap(({ link }) => link.texts))
    const idsByText = await findIds(destination, schemas, { collection, by, texts: [...texts] })
    for (const { row, link } of links) applyLink(row, link, { collection, by, idsByText })
  }
}

type FoundIds = ReadonlyMap<string, readonly string[]>

function applyLink(
  row: ConvertedRow,
  { column, targetField, texts }: UnresolvedLink,
  { collection, by, idsByText }: { collection: string; by: Lookup; idsByText: FoundIds },
): void {
  const ids: string[] = []
  for (const text of texts) {
    const [id, ...otherIds] = idsByText.get(text) ?? []
    if (id !== undefined && otherIds.length === 0) ids.push(id)
    else {
      const plural = collectionTitle(collection)
      const subject = id === undefined ? `none of the ${plural}` : `several of the ${plural}`
      const message = `is the ${lookupNames[by]} of ${subject}`
      const cell = { column: column.heading, value: text }
      if (by === 'id') {
        ids.push(text)
        row.warnings.push({
          ...cell,
          message: `${message}: the link is stored, and works once that record exists.`,
        })
      } else if (targetField.reference?.optional) {
        row.warnings.push({
          ...cell,
          message: `${message}: the record is kept without the link.`,
        })
      } else {
        row.errors.push({
          ...cell,
          message: `${message}: import these first, or correct it.`,
          code: id === undefined ? 'not_found' : 'ambiguous',
        })
      }
    }
  }
  row.values.set(targetField.path, targetField.isMany ? ids : (ids[0] ?? null))
}

const lookupNames = { id: 'id', name: 'name', email: 'e-mail address' } as const

/** The ids of the matching records for each text. */
async function findIds(
  destination: RecordDestination,
  schemas: Schemas,
  { collection, by, texts }: { collection: string; by: Lookup; texts: readonly string[] },
): Promise<FoundIds> {
  if (by === 'id') {
    const documents = await destination.readDocuments(collection, texts)
    return new Map(texts.map((text) => [text, documents.has(text) ? [text] : []]))
  }
  const idsByText = await destination.findSimilar(
    collection,
    lookupFields(collection, by, schemas),
    texts,
  )
  return new Map(texts.map((text) => [text, idsByText.get(foldText(text)) ?? []]))
}
