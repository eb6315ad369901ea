import { collectionNames, collectionTitle } from '../model/collection.ts'
import { joinNames } from '../platform/join-names.ts'
import { accessPolicyFor } from './access-policy.ts'
import { propertiesIn } from './collection-properties.ts'
import { parseRestrictions } from './restriction-effects.ts'
import {
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
  const stored = serialiseRestrictions(restrictions)
  const policy = accessPolicyFor(stored)
  const visible = collectionNames.filter((name) => policy.allowsCollection(name))
  const isAll = visible.length === collectionNames.length
  const records = isAll ? 'everything' : joinNames(visible.map(collectionTitle))
  const reads = permissions.includes('read')
  const createsMembers =
    permissions.includes('create-members') && policy.allowsCollection('members')
  const reader = {
    restrictions: parseRestrictions(stored),
    canRead: reads,
    collections: visible,
    hiddenLabels: (name: string) => propertiesIn(types, name).describeHidden(policy),
  }
  return [
    reads ? `It reads ${records}.` : 'It reads no records.',
    createsMembers && 'It creates members.',
    createsMembers && !reads && 'It sees the fields of members that it can set, without values.',
    permissions.includes('write') && `It creates, changes and deletes ${records}.`,
    permissions.includes('assistant') && 'An AI assistant can read with it at /mcp.',
    permissions.includes('manage-webhooks') &&
      'It adds and removes its own webhooks, which notify another system of changes.',
    ...restrictionsInWords.flatMap((name) => restrictionTable[name].sentences(reader)),
  ].filter((sentence) => sentence !== false)
}
