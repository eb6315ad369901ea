import type { Fault } from '../model/checked.ts'
import type { Collection } from '../model/collection.ts'
import { collectionNames } from '../model/collection-names.ts'
import type { Kind, Schema } from '../model/schema.ts'
import { isKindOfField, kindsOfFields } from './kinds-of-fields.ts'
import type { Limits } from './limits.ts'
import { faultOfNetwork } from './network.ts'
import { canBeKept } from './properties.ts'

/** What the records of an organisation are. */
export type RecordTypes = {
  collections: readonly Collection[]
  schemas: Partial<Record<Kind, Schema>>
}

/** Everything that is wrong with limits for a key of an organisation: a name that keeps nothing back is one, for whoever wrote it believes that it does. */
export const faultsOfLimits = (
  { collections = [], from = [], without = [] }: Limits,
  types: RecordTypes,
): Fault[] =>
  [
    ...collections.map((name) => ({
      field: 'collections',
      reason: collectionNames.includes(name)
        ? undefined
        : `must be of ${collectionNames.join(', ')}, and not ${name}.`,
    })),
    ...from.map((network) => ({ field: 'from', reason: named(network, faultOfNetwork(network)) })),
    ...without.map((name) => ({ field: 'without', reason: named(name, faultOfName(name, types)) })),
  ].flatMap(({ field, reason }) => (reason === undefined ? [] : [{ field, reason }]))

const named = (name: string, fault: string | undefined) => fault && `${name} ${fault}`

function faultOfName(name: string, { collections, schemas }: RecordTypes): string | undefined {
  const fields = Object.values(schemas).flatMap(({ fields }) => fields)
  if (isKindOfField(name)) return undefined
  if (fields.some(({ id }) => id === name || id.startsWith(`${name}.`))) return undefined
  const records = collections.map(({ record }) => record)
  const found = canBeKept(name, records)
  if (found === 'no') return 'is what no record can be without.'
  return found === 'unknown'
    ? `must be a kind (${kindsOfFields.join(', ')}), the id of a field of people, or the path of a property of records.`
    : undefined
}
