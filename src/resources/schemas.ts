import type { Env } from '../auth/env.ts'
import { route } from '../auth/route.ts'
import type { Content } from '../formats/content.ts'
import { jsonContent, serialiseObject } from '../formats/json.ts'
import { Hono } from '../http/hono.ts'
import { oneOf, withDefault } from '../http/parameters.ts'
import { closedQuery } from '../http/query.ts'
import { ApiError } from '../model/api-error.ts'
import { withoutDerivedFields } from '../model/properties/area-fields.ts'
import { type Kind, kindNames, type Schema as StoredSchema } from '../model/properties/schema.ts'
import { readSchemaAndState } from '../store/read/single.ts'
import type { Found, Known, Unchanged } from '../store/state.ts'
import type { Store } from '../store/store.ts'
import { respondConditionally } from './routes/conditional.ts'

const getSchema = route(
  {
    operationId: 'getSchema',
    summary: "Get an organisation's schema",
    description:
      'The fields of its members, volunteers or partners, in display order. A key that may create members but not read sees the fields of members that it can set.',
    path: {
      organisationId: {
        description: 'The id of the caller’s organisation.',
        example: 'oak-trust',
      },
    },
    query: closedQuery({
      kind: withDefault(
        oneOf(kindNames, {
          description: 'The kind of people that the schema describes.',
          example: 'volunteers',
          isAddition: true,
        }),
        'members',
      ),
    }),
    organisation: 'path',
    isConditional: true,
    responses: async () => (await import('./schema-responses.ts')).schemaResponses,
  },
  (c) => {
    const { kind } = c.req.valid('query')
    return respondConditionally(c, 'application/json', (known) =>
      readContent(c.var.store, kind, known),
    )
  },
)

// Returns both documented shapes in one response.
async function readContent<U extends Unchanged>(
  store: Store,
  kind: Kind,
  known: Known<U>,
): Promise<Found<Content> | U> {
  const found = await readSchemaAndState(store, kind, known)
  if (found.unchanged) return found
  const { schema: storedSchema, state } = found
  if (storedSchema === undefined) throw new ApiError('NOT_FOUND', `There is no schema of ${kind}.`)
  const { name, fields: allFields }: StoredSchema = JSON.parse(storedSchema)
  // A key that only creates members cannot set derived fields.
  const fields = store.canRead ? allFields : withoutDerivedFields(allFields)
  const schema = {
    organisationId: JSON.stringify(store.organisationId),
    schemaId: '"master"',
    name: JSON.stringify(name),
    fields: JSON.stringify(fields),
  }
  return { ...jsonContent({ ...schema, schema: serialiseObject(schema) }), state }
}

export const routes = new Hono<Env>().get('/:organisationId', getSchema)
