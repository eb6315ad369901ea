import type { Databases } from '../platform/bindings.ts'
import { type MovedCounts, mergePeople } from '../records/merge-people.ts'
import { personResource } from '../resources/routes/person-routes.ts'
import type { PersonReference } from './erase-person.ts'
import { operatorStore } from './operator-store.ts'

/**
 * Merges the person with the id `from` into another one and returns the number of moved records by collection. The
 * values in `fields` replace those of both. `DB` is the database that has the organisation.
 */
export function mergePeopleAsOperator(
  { DB, GEOGRAPHY }: Pick<Databases, 'DB' | 'GEOGRAPHY'>,
  { organisationId, kind, id }: PersonReference,
  from: string,
  fields: Record<string, unknown>,
): Promise<MovedCounts> {
  const store = operatorStore(DB, organisationId)
  const preconditions = {}
  return mergePeople(
    { store, geography: GEOGRAPHY },
    personResource(kind),
    { id, from, fields },
    preconditions,
  )
}
