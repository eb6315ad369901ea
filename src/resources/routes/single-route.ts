import { route } from '../../auth/route.ts'
import { singleResponse } from '../../formats/json.ts'
import { ApiError } from '../../model/api-error.ts'
import { notFound } from '../../model/collection.ts'
import { readSingle, type Single, type StoredRecord } from '../../store/read/single.ts'
import type { Store } from '../../store/store.ts'
import { dependsOnOtherData, pathParameters, type Resource } from './resource.ts'

/** `GET /:id`: returns one record. Throws 404 for an unknown id, 403 for another organisation's member. */
export function getRecord(resource: Resource) {
  const { name, id: idName, documentation, query, render } = resource
  const { recordDescription: _, ...described } = documentation
  const isMember = name === 'members'
  return route(
    {
      ...described,
      path: pathParameters(resource),
      query,
      isConditional: true,
      responseHeaders: { 200: ['Last-Modified'] },
      organisation: isMember ? 'record' : 'query',
      responses: async () => (await import('./record-contracts.ts')).singleResponses(resource),
    },
    async (c) => {
      const store = c.get('store')
      const { organisationId } = store
      const { profileFields } = c.req.valid('query')
      const id = String(c.req.param(idName))
      const single = await requireRecord(store, resource, id)
      const { document } = single.record
      const properties = render({ id, organisationId, document, single, profileFields })
      return singleResponse(c.req, {
        record: single.record,
        properties,
        dependsOnOtherData: dependsOnOtherData(resource, store.policy),
      })
    },
  )
}

/** A record with its related data. Throws 404 for an unknown id, 403 for another organisation's member. */
export async function requireRecord(
  store: Store,
  resource: Resource,
  id: string,
): Promise<Single & { record: StoredRecord }> {
  const { name, singular, related } = resource
  const lookElsewhere = name === 'members'
  const { record, ...single } = await readSingle(store, {
    ...related,
    collection: name,
    id,
    lookElsewhere,
  })
  if (record) return { record, ...single }
  if (single.elsewhere)
    throw new ApiError('FORBIDDEN', `This ${singular} belongs to another organisation.`)
  throw notFound(resource)
}
