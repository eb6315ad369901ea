import * as z from 'zod'
import { notFound } from '../model/collection.ts'
import { messages } from '../model/validation-error.ts'
import { propertiesOfType } from '../records/rules.ts'
import { loadCollection } from '../resources/resources.ts'
import { readSingle } from '../store/read/single.ts'
import { flatten } from './flatten.ts'
import { collectionInput, defineTool, requireVisible } from './tool.ts'

export const getTool = defineTool({
  name: 'get',
  title: 'Get a record',
  description:
    'Returns one record with all its values by its id. Ids are in the results of `query` and `changes`, and in references such as `eventId` of a booking. Values that are missing or hidden are left out.',
  input: z.strictObject({
    collection: collectionInput,
    id: z
      .string(messages.text)
      .min(1, messages.notEmpty)
      .max(255, messages.maxCharacters(255))
      .meta({ description: 'The id of the record, such as `event-open-day-1`.' }),
  }),
  async run({ store }, { collection, id }) {
    requireVisible(store, collection)
    const { resource } = await loadCollection(collection)
    const { related, kind } = resource
    const { record, schema } = await readSingle(store, {
      collection,
      id,
      record: related.record,
      schema: kind,
    })
    if (!record) throw notFound(resource)
    const properties = propertiesOfType(resource, schema).shown(store.policy)
    return {
      path: `/api/v1/${collection}/${encodeURIComponent(id)}`,
      data: JSON.stringify({ [resource.id]: id, ...flatten(properties, record.document) }),
    }
  },
})
