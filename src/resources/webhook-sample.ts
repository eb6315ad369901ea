import { Hono } from 'hono'
import type { Env } from '../auth/env.ts'
import { route } from '../auth/route.ts'
import { oneOf, required } from '../http/parameters.ts'
import { closedQuery } from '../http/query.ts'
import { collectionNames } from '../model/collection.ts'
import { messages } from '../model/validation-error.ts'
import { readSampleEntry } from '../store/webhooks/sample-entry.ts'
import { buildBody, buildSampleMessage } from '../webhooks/message.ts'

const getSample = route(
  {
    operationId: 'getSampleMessage',
    summary: 'Get a sample of a message',
    description:
      'Returns a message about a record of the collection, as a webhook would receive it, to try an integration before anything changes.',
    isAddition: true,
    query: closedQuery({
      collection: required(
        oneOf(collectionNames, {
          description: 'The collection of the record.',
          example: 'members',
        }),
        messages.oneOf(collectionNames),
      ),
    }),
    responses: async () => (await import('./webhook-responses.ts')).webhookResponses.sample,
  },
  async (c) => {
    const { store } = c.var
    const { collection } = c.req.valid('query')
    const message = await buildSampleMessage(collection, await readSampleEntry(store, collection))
    return c.body(buildBody(store.organisationId, message), 200, {
      'Content-Type': 'application/json',
    })
  },
)

export const routes = new Hono<Env>().get('/$sample', getSample)
