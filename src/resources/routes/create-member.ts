import { route } from '../../auth/route.ts'
import { createdResponseType } from '../../formats/response-types.ts'
import { readText } from '../../http/body.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { idempotencyHeaders } from '../../http/idempotency-key.ts'
import { closedQuery } from '../../http/query.ts'
import type { RecordType } from '../../records/rules.ts'
import { personInput } from './person-contracts.ts'

/** `POST /members`: creates a member from values by schema field. */
export function createMember(recordType: RecordType) {
  return route(
    {
      operationId: 'createMember',
      summary: 'Create a member',
      description:
        'Creates a member from values by field id or field name. If anything is invalid, the response lists every error and nothing is created.',
      query: closedQuery(),
      organisation: 'body',
      headers: idempotencyHeaders,
      input: { type: personInput },
      responseHeaders: { 201: ['Location'] },
      responses: () => ({
        201: createdResponseType('member'),
        403: ErrorBody,
        413: ErrorBody,
        415: ErrorBody,
        422: ErrorBody,
      }),
    },
    async (c) => {
      const key = c.req.valid('header')['Idempotency-Key']
      const idempotencyKey = key === undefined ? undefined : { key, body: await readText(c.req) }
      const records = await c.var.openRecords()
      const id = await records.createMember(recordType, c.req.valid('json'), idempotencyKey)
      return c.json({ member: { id } }, 201, { Location: `/api/v1/members/${id}` })
    },
  )
}
