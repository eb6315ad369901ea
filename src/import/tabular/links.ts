import { isKind, type Kind, type Schema } from '../../model/schema.ts'
import { words } from '../../model/words.ts'
import { folded } from '../spellings/folded.ts'
import { usualName } from './called.ts'
import type { Converted, LinkAsked } from './converter.ts'
import type { Destination } from './destination.ts'
import type { Finding } from './usual-headings.ts'

type Schemas = Partial<Record<Kind, Schema>>

/** By which property records of a collection without a schema are called. */
const names: Readonly<Record<string, string>> = {
  events: 'name',
  forms: 'name',
  funds: 'name',
  'grant-applications': 'title',
}

/** What a text can find the records of a collection by. */
export const findingsOf = (collection: string): readonly Finding[] =>
  isKind(collection)
    ? ['id', 'email', 'name']
    : Object.hasOwn(names, collection)
      ? ['id', 'name']
      : ['id']

/**
 * Puts the ids of the records that rows name into what they give. A link that leads nowhere, or to
 * several records, is a fault of a record that makes no sense without it, else it is left empty and
 * said; an id is kept, for its record may come later.
 */
export async function resolveLinks(
  to: Destination,
  schemas: Schemas,
  rows: readonly Converted[],
): Promise<void> {
  const asked = rows.flatMap((row) => row.links.map((link) => ({ row, link })))
  const kinds = Map.groupBy(asked, ({ link }) =>
    JSON.stringify([link.place.reference?.to, link.column.by ?? 'id']),
  )
  for (const [kind, links] of kinds) {
    const [collection, by]: [string, Finding] = JSON.parse(kind)
    const texts = new Set(links.flatMap(({ link }) => link.texts))
    const found = await foundBy(to, schemas, { collection, by, texts: [...texts] })
    for (const { row, link } of links) settle(row, link, { collection, by, found })
  }
}

type Found = ReadonlyMap<string, readonly string[]>

function settle(
  row: Converted,
  { column, place, texts }: LinkAsked,
  { collection, by, found }: { collection: string; by: Finding; found: Found },
): void {
  const ids: string[] = []
  for (const text of texts) {
    const [id, ...others] = found.get(text) ?? []
    if (id !== undefined && others.length === 0) ids.push(id)
    else {
      const plural = words(collection)
      const which = id === undefined ? `none of the ${plural}` : `several of the ${plural}`
      const reason = `is the ${inWords[by]} of ${which}`
      const saying = { column: column.heading, value: text }
      if (by === 'id') {
        ids.push(text)
        row.sayings.push({
          ...saying,
          reason: `${reason}: it is kept, and leads nowhere until there is one.`,
        })
      } else if (place.reference?.optional) {
        row.sayings.push({ ...saying, reason: `${reason}: the record is kept without the link.` })
      } else {
        row.faults.push({ ...saying, reason: `${reason}: import these first, or correct it.` })
      }
    }
  }
  row.given.set(place.path, place.isMany ? ids : (ids[0] ?? null))
}

const inWords = { id: 'id', name: 'name', email: 'e-mail address' } as const

/** The ids of the records that each text finds. */
async function foundBy(
  to: Destination,
  schemas: Schemas,
  { collection, by, texts }: { collection: string; by: Finding; texts: readonly string[] },
): Promise<Found> {
  if (by === 'id') {
    const known = await to.documents(collection, texts)
    return new Map(texts.map((text) => [text, known.has(text) ? [text] : []]))
  }
  const found = await to.alike(collection, fieldsOf(collection, by, schemas), texts)
  return new Map(texts.map((text) => [text, found.get(folded(text)) ?? []]))
}

/** The fields or properties that hold a name or an e-mail address. */
function fieldsOf(collection: string, by: Finding, schemas: Schemas): string[] {
  const name = Object.hasOwn(names, collection) ? names[collection] : undefined
  if (!isKind(collection)) return by === 'name' && name !== undefined ? [name] : []
  const fields = schemas[collection]?.fields ?? []
  return fields
    .filter(({ id, name, type }) =>
      by === 'email'
        ? type === 'email'
        : [id, name].some((called) => usualName(called) === 'Full Name'),
    )
    .map(({ id }) => id)
}
