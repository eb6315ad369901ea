import { collectionNames, collectionTitle } from '../model/collection.ts'
import { isKind } from '../model/properties/schema.ts'
import { type AccessPolicy, accessPolicyFor } from './access-policy.ts'
import { parseRestrictions, serialiseRestrictions } from './restrictions.ts'
import type { RecordTypes } from './validate-restrictions.ts'

/** Summarises the permissions and restrictions of a key in one line. */
export function summariseAccess({
  rights,
  limits,
}: {
  rights: string
  limits: string | null
}): string {
  const { collections, privateNotes, from, without } = parseRestrictions(limits)
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

/** Describes the permissions and restrictions of a key in sentences. */
export function describeAccess(
  { may, limits }: { may: readonly string[]; limits: Parameters<typeof serialiseRestrictions>[0] },
  types: RecordTypes,
): string[] {
  const view = accessPolicyFor(serialiseRestrictions(limits))
  const seen = collectionNames.filter((name) => view.allowsCollection(name))
  const { from } = view.restrictions
  const isAll = seen.length === collectionNames.length
  const records = isAll ? 'everything' : list(seen.map(collectionTitle))
  const reads = may.includes('read')
  return [
    reads ? `It reads ${records}.` : 'It reads nothing.',
    may.includes('create-members') && view.allowsCollection('members') && 'It creates members.',
    may.includes('write') && `It creates, changes and deletes ${records}.`,
    reads &&
      view.allowsCollection('case-notes') &&
      view.hidesNotes &&
      'Private case notes are not there for it.',
    ...(reads ? seen.flatMap((name) => keptSentence(name, view, types)) : []),
    from ? `It can be used from ${list(from)} only.` : 'It can be used from anywhere.',
  ].filter((sentence) => sentence !== false)
}

function keptSentence(name: string, view: AccessPolicy, types: RecordTypes): string[] {
  const kept = keptNames(name, view, types)
  return kept.length > 0 ? [`Of ${collectionTitle(name)}, it does not see ${list(kept)}.`] : []
}

function keptNames(
  name: string,
  view: AccessPolicy,
  { collections, schemas }: RecordTypes,
): string[] {
  if (isKind(name)) {
    const { fields = [] } = schemas[name] ?? {}
    const kept = view.hiddenFields(fields)
    return fields.filter(({ id }) => kept.has(id)).map(({ label }) => label)
  }
  const record = collections.find((collection) => collection.name === name)?.record
  return (record && view.kept(name, record)?.names) ?? []
}

const list = (items: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(items)
