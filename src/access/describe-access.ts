import { collectionNames, collectionTitle } from '../model/collection.ts'
import { isKind } from '../model/properties/schema.ts'
import { type AccessPolicy, accessPolicyFor } from './access-policy.ts'
import { parseRestrictions, type Restrictions, serialiseRestrictions } from './restrictions.ts'
import type { RecordTypes } from './validate-restrictions.ts'

/** Summarises the permissions and restrictions of a key in one line. */
export function summariseAccess({
  permissions,
  restrictions,
}: {
  permissions: string
  restrictions: string | null
}): string {
  const { collections, privateNotes, allowFrom, hideFields, origins } =
    parseRestrictions(restrictions)
  return [
    permissions,
    collections && `only ${collections.join(', ')}`,
    privateNotes === false && 'no private notes',
    hideFields && `without ${hideFields.join(', ')}`,
    allowFrom && `from ${allowFrom.join(', ')}`,
    origins && `in pages of ${origins.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ')
}

/** Describes the permissions and restrictions of a key in sentences. */
export function describeAccess(
  { permissions, restrictions }: { permissions: readonly string[]; restrictions: Restrictions },
  types: RecordTypes,
): string[] {
  const policy = accessPolicyFor(serialiseRestrictions(restrictions))
  const visible = collectionNames.filter((name) => policy.allowsCollection(name))
  const { allowFrom, origins } = policy.restrictions
  const isAll = visible.length === collectionNames.length
  const records = isAll ? 'everything' : list(visible.map(collectionTitle))
  const reads = permissions.includes('read')
  const createsMembers =
    permissions.includes('create-members') && policy.allowsCollection('members')
  return [
    reads ? `It reads ${records}.` : 'It reads no records.',
    createsMembers && 'It creates members.',
    createsMembers && !reads && 'It sees the fields of members that it can set, without values.',
    permissions.includes('write') && `It creates, changes and deletes ${records}.`,
    permissions.includes('assistant') && 'An AI assistant can read with it at /mcp.',
    reads &&
      policy.allowsCollection('case-notes') &&
      policy.hidesNotes &&
      'Private case notes are not there for it.',
    ...(reads ? visible.flatMap((name) => describeHidden(name, policy, types)) : []),
    allowFrom ? `It can be used from ${list(allowFrom)} only.` : 'It can be used from anywhere.',
    origins !== undefined &&
      `Web pages of ${list(origins)} can use it, so everybody who opens them can copy it.`,
  ].filter((sentence) => sentence !== false)
}

function describeHidden(name: string, policy: AccessPolicy, types: RecordTypes): string[] {
  const hidden = listHiddenNames(name, policy, types)
  return hidden.length > 0 ? [`Of ${collectionTitle(name)}, it does not see ${list(hidden)}.`] : []
}

function listHiddenNames(
  name: string,
  policy: AccessPolicy,
  { collections, schemas }: RecordTypes,
): string[] {
  if (isKind(name)) {
    const { fields = [] } = schemas[name] ?? {}
    const hidden = policy.hiddenFields(fields)
    return fields.filter(({ id }) => hidden.has(id)).map(({ label }) => label)
  }
  const record = collections.find((collection) => collection.name === name)?.record
  return (record && policy.hiddenProperties(name, record)?.names) ?? []
}

const list = (items: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(items)
