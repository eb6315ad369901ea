import type { Databases } from '../platform/bindings.ts'
import { type MovedCounts, mergePeople } from '../records/merge-people.ts'
import { personResource } from '../resources/routes/person-routes.ts'
import type { PersonReference } from './erase-person.ts'
import { operatorStore } from './operator-store.ts'

/** Merges another person into one and returns the number of moved records by collection. */
export const mergePeopleAsOperator = (
  { DB, GEOGRAPHY }: Pick<Databases, 'DB' | 'GEOGRAPHY'>,
  { organisationId, kind, id }: PersonReference,
  from: string,
  fields: Record<string, unknown>,
): Promise<MovedCounts> =>
  mergePeople(
    { store: operatorStore(DB, organisationId), geography: GEOGRAPHY },
    personResource(kind),
    { id, from, fields },
    {},
  )
