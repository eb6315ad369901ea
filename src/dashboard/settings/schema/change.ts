import type { Context } from 'hono'
import type { SchemaCheck, SchemaUpdate } from '../../../admin/organisation-schemas.ts'
import { ApiError } from '../../../model/api-error.ts'
import {
  type Field,
  isKind,
  type Kind,
  kinds,
  type Schema,
} from '../../../model/properties/schema.ts'
import { sha256 } from '../../../platform/sha256.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { serialiseMisfits } from './misfits.tsx'

/** The context of a request for one person kind's schema. */
export type SchemaContext = Context<DashboardEnv, '/:kind/*'>

/** Shown when somebody else changed the schema first. */
export const schemaConflictMessage =
  'Somebody else changed the schema while you had this open, so nothing was saved. Review it and try again.'

const maxTries = 3

/** Applies a change if its misfits are the confirmed ones, otherwise returns the new check. Retries when people change in between. */
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
    `Other people kept changing the ${change.kind} or their schema, so nothing was saved. Try again.`,
  )
}

/** Returns the current schema of the path's kind and its version. A kind without a schema gets one without fields. */
export async function readSchema(c: SchemaContext) {
  const kind = parseKind(c)
  const before = (await c.var.schemas.list())[kind]
  const schema: Schema = before ?? { name: kinds[kind].schemaName, fields: [] }
  return { kind, before, schema, version: await sha256(JSON.stringify(schema)) }
}

/** Returns the person kind in the path, or throws 404. */
export function parseKind(c: SchemaContext): Kind {
  const kind = c.req.param('kind')
  if (!isKind(kind)) throw new ApiError('NOT_FOUND', 'This address does not exist.')
  return kind
}

/** Returns the field with this id, or throws 404. */
export function findField(fields: readonly Field[], id: string | undefined): Field {
  const field = fields.find((field) => field.id === id)
  if (!field) throw new ApiError('NOT_FOUND', 'This field does not exist any more.')
  return field
}
