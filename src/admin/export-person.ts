import type { PersonalData } from '../formats/personal-data-types.ts'
import type { Kind } from '../model/properties/schema.ts'
import { loadCollections } from '../resources/collections.ts'
import { personResource } from '../resources/routes/person-routes.ts'
import { collectPersonalData } from '../resources/routes/personal-data.ts'
import { operatorStore } from './operator-store.ts'

/** Everything stored about a person. Throws 404 for an unknown id. */
export const exportPersonalData = async (
  d1: D1Database,
  organisationId: string,
  kind: Kind,
  id: string,
): Promise<PersonalData> =>
  collectPersonalData(
    operatorStore(d1, organisationId),
    personResource(kind),
    id,
    await loadCollections(),
  )
