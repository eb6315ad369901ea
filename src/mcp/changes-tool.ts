import * as z from 'zod'
import { serialiseObject } from '../formats/json.ts'
import { readChangesPage } from '../resources/changes.ts'
import { collectionInput, defineTool, requireVisible } from './tool.ts'
import { limitInput } from './tool-inputs.ts'

/** Lists changed and deleted records, without their contents. */
export const changesTool = defineTool({
  name: 'changes',
  title: 'List changes',
  description:
    'Lists the records that were created, updated or deleted, in order of version, each once with its last change and without its contents; read one with `get`. Call it with the cursor `latest` to remember the present, and later with the `next` of that result for everything since. For "what changed this week" use `query` on the time fields of a collection instead.',
  input: z.strictObject({
    collection: collectionInput.optional(),
    cursor: z.string().max(64).optional().meta({
      description:
        'The `next` of an earlier result, or `latest` for a cursor for now. Without it, the list begins with the oldest record.',
    }),
    limit: limitInput,
  }),
  async run({ store }, { collection, cursor, limit }) {
    if (collection !== undefined) requireVisible(store, collection)
    const { properties } = await readChangesPage(store, {
      $after: cursor,
      collections: collection === undefined ? undefined : [collection],
      limit,
      $include: undefined,
    })
    return { path: '/api/v1/changes', data: serialiseObject(properties) }
  },
})
