import type { Permission } from '../../access/permissions.ts'
import {
  type ComparedDetail,
  keysOf,
  maxSharing,
  readOwnDetails,
  type SharedDetail,
  sharedDetails,
  spellingsOf,
} from '../../model/properties/compare-people.ts'
import { findOwnFields, type OwnFields } from '../../model/properties/own-details.ts'
import { personName } from '../../model/properties/person-name.ts'
import type { Field, Values } from '../../model/properties/schema.ts'
import {
  cachePairCount,
  type PersonPair,
  readDismissedPairs,
} from '../../store/people/duplicates.ts'
import {
  type FieldLookup,
  type PersonValues,
  readFieldValuesOfAll,
  readFieldValuesOfMatches,
} from '../../store/people/field-values.ts'
import type { QueryGuard } from '../../store/query/record-query.ts'
import type { Store } from '../../store/store.ts'
import type { PeopleOfKind } from './search-people.ts'

/** A stored person who may be the same as another. */
export type LikelyDuplicate = { id: string; name: string; same: SharedDetail[] }

/** Two stored people who may be the same, in order of arrival, with the values of their details. */
export type LikelyPair = { people: readonly [PersonValues, PersonValues]; same: SharedDetail[] }

/** Many people are registered as born on the first of January. */
const maxWithBirthDate = 1000
const maxDuplicates = 5
/** The number of new people from which reading all stored people costs less than looking up each. */
const maxLookedUp = 20
/** The number of stored people to compare. Each costs a row. */
const maxCompared = 50_000
const maxPairs = 10_000

/**
 * The stored people who may be the same as each of the new people, the most similar first,
 * at most 5: with the same e-mail address, telephone number, or name and birth date.
 */
export function findLikelyDuplicatesOf(
  store: Store,
  { kind, fields }: PeopleOfKind,
  people: readonly Values[],
  permissions: readonly Permission[] = ['read'],
): Promise<LikelyDuplicate[][]> {
  return store.withPolicy(async (policy) => {
    const guard = { permissions, collection: kind, policy }
    const own = findVisibleFields(guard, fields)
    const stored =
      people.length > maxLookedUp
        ? (await readFieldValuesOfAll(store, guard, idsOf(own), maxCompared)).people
        : await readFieldValuesOfMatches(store, guard, idsOf(own), listLookups(own, people))
    const groups = groupBySharedDetail(own, stored)
    return people.map((person) => {
      const details = readOwnDetails(own, person)
      const matches = new Map<string, LikelyDuplicate>()
      for (const shared of sharedDetails)
        for (const { id, values } of listSharing(groups[shared], keysOf[shared](details))) {
          const match = matches.get(id) ?? { id, name: personName(own.names, values), same: [] }
          match.same.push(shared)
          matches.set(id, match)
        }
      return [...matches.values()].toSorted(compareSimilarity).slice(0, maxDuplicates)
    })
  })
}

/**
 * The pairs of stored people who may be the same, the most similar first, except those of
 * `dismissed`. `isCut` is true if there are more people than are compared.
 */
export function findLikelyPairs(
  store: Store,
  { kind, fields }: PeopleOfKind,
  dismissed: readonly PersonPair[],
): Promise<{ pairs: LikelyPair[]; isCut: boolean }> {
  return store.withPolicy(async (policy) => {
    const guard = { permissions: ['read'], collection: kind, policy } as const
    const own = findVisibleFields(guard, fields)
    const { people, isCut } = await readFieldValuesOfAll(store, guard, idsOf(own), maxCompared)
    const groups = groupBySharedDetail(own, people)
    const dismissedKeys = new Set(dismissed.map(pairKey))
    const pairs = new Map<string, LikelyPair>()
    for (const shared of sharedDetails)
      for (const people of listPairs(groups[shared])) {
        const key = pairKey([people[0].id, people[1].id])
        const pair = pairs.get(key) ?? { people, same: [] }
        if (dismissedKeys.has(key) || pair.same.includes(shared)) continue
        pair.same.push(shared)
        if (pairs.size < maxPairs) pairs.set(key, pair)
      }
    return { pairs: [...pairs.values()].toSorted(compareSimilarity), isCut }
  })
}

/** Finds the pairs of a kind that nobody has dismissed, and caches their number for the list of people. */
export async function findPairsAndCacheCount(
  store: Store,
  people: PeopleOfKind,
): Promise<{ pairs: LikelyPair[]; isCut: boolean }> {
  const dismissed = await readDismissedPairs(store, people.kind)
  const result = await findLikelyPairs(store, people, dismissed)
  await cachePairCount(store, people.kind, result.pairs.length)
  return result
}

const findVisibleFields = ({ policy }: QueryGuard, fields: readonly Field[]): OwnFields => {
  const hidden = policy.hiddenFields(fields)
  return findOwnFields(fields.filter(({ id }) => !hidden.has(id)))
}

const idsOf = (own: OwnFields) => [
  ...new Set(
    Object.values(own)
      .flat()
      .map(({ id }) => id),
  ),
]

/** People by a key of their details, such as an e-mail address in one spelling: those in a group may be the same person. */
type Groups = Map<string, PersonValues[]>

function groupBySharedDetail(own: OwnFields, people: readonly PersonValues[]) {
  const groups: Record<SharedDetail, Groups> = {
    'name and birth date': new Map(),
    email: new Map(),
    phone: new Map(),
  }
  for (const person of people) {
    const details = readOwnDetails(own, person.values)
    for (const shared of sharedDetails)
      for (const key of keysOf[shared](details)) {
        const group = groups[shared].get(key)
        if (group) group.push(person)
        else groups[shared].set(key, [person])
      }
  }
  return groups
}

/** The people in the groups of these keys. A large group is left out: it shares a detail such as an office's telephone number. */
const listSharing = (groups: Groups, keys: readonly string[]): PersonValues[] => [
  ...new Set(
    keys.flatMap((key) => {
      const people = groups.get(key) ?? []
      return people.length > maxSharing ? [] : people
    }),
  ),
]

function* listPairs(groups: Groups): Generator<LikelyPair['people']> {
  for (const people of groups.values()) {
    if (people.length > maxSharing) continue
    for (const [index, one] of people.entries())
      for (const other of people.slice(index + 1)) yield [one, other]
  }
}

const pairKey = (ids: PersonPair) => ids.toSorted().join('/')

const compareSimilarity = (one: { same: SharedDetail[] }, other: { same: SharedDetail[] }) =>
  other.same.length - one.same.length

/** The values to look up: the e-mail addresses and telephone numbers in their usual spellings, and the birth dates. */
const listLookups = (own: OwnFields, people: readonly Values[]): FieldLookup[] => {
  const lookUp = (detail: ComparedDetail, fields: readonly Field[], maxPeople: number) =>
    people
      .flatMap((person) => fields.map(({ id }) => person[id]))
      .filter((value) => typeof value === 'string')
      .flatMap((text) => spellingsOf(detail, text))
      .flatMap((value) => fields.map(({ id }): FieldLookup => ({ field: id, value, maxPeople })))
  return [
    ...lookUp('email', own.emails, maxSharing),
    ...lookUp('phone', own.phones, maxSharing),
    ...lookUp('birthDate', own.birthDates, maxWithBirthDate),
  ]
}
