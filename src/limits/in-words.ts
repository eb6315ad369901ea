import { collectionNames } from '../model/collection-names.ts'
import { isKind } from '../model/schema.ts'
import { words } from '../model/words.ts'
import type { RecordTypes } from './faults.ts'
import { limitsOf, limitsText } from './limits.ts'
import { type View, viewOf } from './view.ts'

/** What a key may do and is held to, as it is kept, in one line. */
export function inBrief({ rights, limits }: { rights: string; limits: string | null }): string {
  const { collections, privateNotes, from, without } = limitsOf(limits)
  return [
    rights,
    collections && `only ${collections.join(', ')}`,
    privateNotes === false && 'no private notes',
    without && `without ${without.join(', ')}`,
    from && `from ${from.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ')
}

/** What a key can do and what it sees, in a sentence each. */
export function inWords(
  { may, limits }: { may: readonly string[]; limits: Parameters<typeof limitsText>[0] },
  types: RecordTypes,
): string[] {
  const view = viewOf(limitsText(limits))
  const seen = collectionNames.filter((name) => view.sees(name))
  const { from } = view.limits
  const isAll = seen.length === collectionNames.length
  const records = isAll ? 'everything' : list(seen.map(words))
  const reads = may.includes('read')
  return [
    reads ? `It reads ${records}.` : 'It reads nothing.',
    may.includes('create-members') && view.sees('members') && 'It creates members.',
    may.includes('write') && `It creates, changes and deletes ${records}.`,
    reads &&
      view.sees('case-notes') &&
      view.hidesNotes &&
      'Private case notes are not there for it.',
    ...(reads ? seen.flatMap((name) => keptSentence(name, view, types)) : []),
    from ? `It can be used from ${list(from)} only.` : 'It can be used from anywhere.',
  ].filter((sentence) => sentence !== false)
}

function keptSentence(name: string, view: View, types: RecordTypes): string[] {
  const kept = keptNames(name, view, types)
  return kept.length > 0 ? [`Of ${words(name)}, it does not see ${list(kept)}.`] : []
}

function keptNames(name: string, view: View, { collections, schemas }: RecordTypes): string[] {
  if (isKind(name)) {
    const { fields = [] } = schemas[name] ?? {}
    const kept = view.keptFields(fields)
    return fields.filter(({ id }) => kept.has(id)).map(({ label }) => label)
  }
  const record = collections.find((collection) => collection.name === name)?.record
  return (record && view.kept(name, record)?.names) ?? []
}

const list = (items: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(items)
