import type { Handler } from 'hono'
import type { Env } from '../auth/env.ts'
import { type Contract, endpoint, type Valid } from '../http/contract.ts'
import { ApiError } from '../model/api-error.ts'
import { ErrorBody } from '../model/error-body.ts'
import { singleAnswer } from '../representations/json.ts'
import type { Kept, Single } from '../store/single.ts'
import type { Store } from '../store/store.ts'
import { pathOf, type Subject } from './subject.ts'

/** `GET /:id`: one record of a collection, whole; 404 when the organisation has none with this id. Another organisation's member is 403, and the id tells a token's organisation (decisions 5). */
export function single(subject: Subject) {
  const { name, id: idName, about, query, answer, show, sought } = subject
  const isMember = name === 'members'
  const forbidden: Contract['answers'] = isMember ? { 403: ErrorBody } : {}
  const contract = {
    ...about,
    path: pathOf(subject),
    query,
    organisation: isMember ? 'record' : 'query',
    answers: { 200: answer, 404: ErrorBody, ...forbidden },
  } satisfies Contract
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const { store } = c.var
    const { organisationId } = store
    const { profileFields } = c.req.valid('query')
    const id = String(c.req.param(idName))
    const found = await demanded(store, subject, id)
    const { document } = found.kept
    const members = show({ id, organisationId, document, found, profileFields })
    return singleAnswer(c.req, { kept: found.kept, members, showsOther: !!sought.withMember })
  }
  return [endpoint(contract), handler] as const
}

/** A record and what is sought beside it; 404 when the organisation has none with this id, 403 where it is another's member. */
export async function demanded(
  store: Store,
  { name, singular, id: idName, sought }: Subject,
  id: string,
): Promise<Single & { kept: Kept }> {
  const lookElsewhere = name === 'members'
  const { kept, ...found } = await store.single({ ...sought, collection: name, id, lookElsewhere })
  if (kept) return { kept, ...found }
  if (found.elsewhere)
    throw new ApiError('FORBIDDEN', `This ${singular} belongs to another organisation.`)
  throw new ApiError('NOT_FOUND', `There is no ${singular} with this ${idName}.`)
}
