import type { Context } from 'hono'
import type { SchemaCheck, SchemaUpdate } from '../../../admin/organisation-schemas.ts'
import { ApiError } from '../../../model/api-error.ts'
import { type Field, isKind, type Kind, kinds, type Schema } from '../../../model/schema.ts'
import { sha256 } from '../../../platform/sha256.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { serialiseMisfits } from './misfits.tsx'

/** A request for a page of the schema of a kind. */
export type SchemaContext = Context<DashboardEnv, '/:kind/*'>

/** What is said where somebody else was first. */
export const schemaConflictMessage =
  'Somebody else changed something here while you had this open, so nothing was saved. Look at it again.'

const maxTries = 3

/** Makes a change whose misfits were seen; or, where others are found, gives these. People who are written meanwhile are looked at again. */
export async function applyChange(
  c: SchemaContext,
  change: SchemaUpdate,
  confirmedMisfits: unknown,
): Promise<SchemaCheck | undefined> {
  for (let tries = 0; tries < maxTries; tries++) {
    const check = await c.var.schemas.check(change)
    const { misfits } = check
    if (misfits.length > 0 && serialiseMisfits(misfits) !== confirmedMisfits) return check
    if (await c.var.schemas.change(change, check)) return undefined
  }
  throw new ApiError(
    'CONFLICT',
    `The ${change.kind} or their schema were changed by others all the while, so nothing was saved: try again.`,
  )
}

/** The schema of the path's kind as it is now, and its version; one without fields where there is none. */
export async function readSchema(c: SchemaContext) {
  const kind = parseKind(c)
  const before = (await c.var.schemas.list())[kind]
  const schema: Schema = before ?? { name: kinds[kind].schemaName, fields: [] }
  return { kind, before, schema, version: await sha256(JSON.stringify(schema)) }
}

/** The kind of people that the path names. Throws 404 where there is none. */
export function parseKind(c: SchemaContext): Kind {
  const kind = c.req.param('kind')
  if (!isKind(kind)) throw new ApiError('NOT_FOUND', 'There is nothing at this address.')
  return kind
}

/** The field of this id. Throws 404 where there is none. */
export function findField(fields: readonly Field[], id: string | undefined): Field {
  const field = fields.find((field) => field.id === id)
  if (!field) throw new ApiError('NOT_FOUND', 'There is no such field, or not any more.')
  return field
}
