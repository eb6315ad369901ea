import { collectionNames, collectionTitle } from '../model/collection.ts'
import { isKind } from '../model/properties/schema.ts'
import { joinNames } from '../platform/join-names.ts'
import { type AccessPolicy, accessPolicyFor } from './access-policy.ts'
import {
  parseRestrictions,
  type RecordTypes,
  type Restrictions,
  restrictionsInWords,
  restrictionTable,
  serialiseRestrictions,
} from './restrictions.ts'

/** Summarises the permissions and restrictions of a key in one line. */
export function summariseAccess({
  permissions,
  restrictions,
}: {
  permissions: string
  restrictions: string | null
}): string {
  const values = parseRestrictions(restrictions)
  return [permissions, ...restrictionsInWords.map((name) => restrictionTable[name].summary(values))]
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
  const isAll = visible.length === collectionNames.length
  const records = isAll ? 'everything' : joinNames(visible.map(collectionTitle))
  const reads = permissions.includes('read')
  const createsMembers =
    permissions.includes('create-members') && policy.allowsCollection('members')
  const reader = {
    restrictions: policy.restrictions,
    canRead: reads,
    collections: visible,
    hiddenLabels: (name: string) => listHiddenLabels(name, policy, types),
  }
  return [
    reads ? `It reads ${records}.` : 'It reads no records.',
    createsMembers && 'It creates members.',
    createsMembers && !reads && 'It sees the fields of members that it can set, without values.',
    permissions.includes('write') && `It creates, changes and deletes ${records}.`,
    permissions.includes('assistant') && 'An AI assistant can read with it at /mcp.',
    ...restrictionsInWords.flatMap((name) => restrictionTable[name].sentences(reader)),
  ].filter((sentence) => sentence !== false)
}

function listHiddenLabels(
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
