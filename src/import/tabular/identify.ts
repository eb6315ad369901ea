import { createHash } from 'node:crypto'
import { references } from '../../model/references.ts'
import { folded } from '../spellings/folded.ts'
import type { Converted } from './converter.ts'
import type { Destination } from './destination.ts'
import type { Mapping } from './mapping.ts'
import { keyText } from './survey.ts'

/** A row with the id of its record, and the record as it is kept, as JSON text, if it is. */
export type Identified = Converted & { id: string; document: string | undefined }

/**
 * The rows with their ids: of their columns, made of these, or those of the people whom `match`
 * finds. What has none, or is several people, is a fault, and its id is ''.
 */
export async function identified(
  to: Destination,
  mapping: Mapping,
  rows: readonly Converted[],
): Promise<Identified[]> {
  const ids = rows.map((row) => ownId(row, mapping, to.organisationId))
  const kept = await to.documents(mapping.collection, [...new Set(ids.filter(Boolean))])
  const found = rows.map((row, at): Identified => {
    const id = ids[at] ?? ''
    return { ...row, id, document: kept.get(id) }
  })
  if (mapping.match.length > 0) await match(to, mapping, found)
  for (const row of found) {
    if (row.id === '' && row.faults.length === 0) {
      const column = mapping.id.columns.join(' + ')
      row.faults.push({ column, reason: 'has no value, and a record needs an id.', value: '' })
    }
  }
  return found
}

function ownId(
  { key }: Converted,
  { collection, id, same }: Mapping,
  organisationId: string,
): string {
  if (!id.isMade) return key.join(' ')
  const texts = key.map(keyText)
  if (texts.every((text) => text === '')) return ''
  // Whoever sees an id, such as a log, is not to see an address in it.
  const named = references
    .filter(({ from }) => from === collection)
    .flatMap(({ path }) => same[path] ?? [])
  const made = JSON.stringify([organisationId, collection, ...named, ...texts])
  return createHash('sha256').update(made).digest('hex').slice(0, 24)
}

/** Gives rows whose record is not there yet the person that has the same values in all of these fields, but for how they are spelt. */
async function match(
  to: Destination,
  { collection, match: fields }: Mapping,
  rows: readonly Identified[],
): Promise<void> {
  const [first = ''] = fields
  const open = rows.filter(
    ({ document, given }) =>
      document === undefined && fields.every((field) => textOf(given.get(field)) !== ''),
  )
  if (open.length === 0) return
  const texts = open.map(({ given }) => textOf(given.get(first)))
  const found = await to.alike(collection, [first], texts)
  const documents = await to.documents(collection, [...new Set([...found.values()].flat())])
  const people = [...documents].map(([id, document]) => {
    const values: Record<string, unknown> = JSON.parse(document)
    return { id, document, key: keyOf(fields, (field) => values[field]) }
  })
  const byKey = Map.groupBy(people, ({ key }) => key)
  for (const row of open) {
    const [person, ...others] = byKey.get(keyOf(fields, (field) => row.given.get(field))) ?? []
    if (!person) continue
    if (others.length > 0) {
      const reason = 'is that of several people who are kept already.'
      row.faults.push({ column: fields.join(' + '), reason, value: textOf(row.given.get(first)) })
      row.id = ''
    } else {
      row.id = person.id
      row.document = person.document
    }
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const keyOf = (fields: readonly string[], get: (field: string) => unknown) =>
  JSON.stringify(fields.map((field) => folded(textOf(get(field)))))
