import type { Kind } from '../model/schema.ts'
import type { Everything } from '../people/everything.ts'
import { structuredCollections } from '../resources/collections.ts'
import { everythingOf } from '../routes/everything.ts'
import { people } from '../routes/person-routes.ts'
import { operatorStore } from './store.ts'

/** All that is kept of a person; throws 404 where there is none with this id. */
export const everythingOfPerson = async (
  d1: D1Database,
  organisationId: string,
  kind: Kind,
  id: string,
): Promise<Everything> =>
  everythingOf(operatorStore(d1, organisationId), people(kind), id, await structuredCollections())
