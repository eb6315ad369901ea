import { isDeepStrictEqual } from 'node:util'

/** The values of a record that a test looks at. */
export type Values = Readonly<Record<string, unknown>>

/** The precondition of a request; `last` is the last ETag that its sender received. */
export type Precondition = 'match any' | 'match last' | 'match none'

/** A request for one record; `patchList` is a `PATCH` of the collection that gives every value. */
export type Request = {
  method: 'get' | 'put' | 'patch' | 'patchList' | 'delete'
  body?: Values
  precondition?: Precondition | undefined
  lastVersion?: number | undefined
}

/**
 * An answer: its status, the record and its version where it shows them, or the counts of a list. The status 503 does not
 * tell whether the request was served.
 */
export type Answer = { status: number; shown?: Values; version?: number; counts?: Values }

/** How the records of a collection change: what a `PUT` makes of a body, and a `PATCH` of a record. */
export type Writing = {
  put(body: Values, before?: Values): Values
  patch(before: Values, body: Values): Values
}

/** A record and the latest version that an answer has shown; unless `isShown`, the record has a later version. */
export type State = { record?: Values; version: number; isShown: boolean }

export const nothing: State = { version: 0, isShown: false }

/** Returns the state after a request with this answer; undefined if a service that serves requests one by one cannot give it. */
export function step(
  writing: Writing,
  state: State,
  request: Request,
  answer: Answer,
): State | undefined {
  if (answer.status === 503) return serveUnanswered(writing, state, request)
  const { record } = state
  if (request.method === 'get') return record ? show(state, record, answer) : ifStatus(404)
  if (request.method !== 'put' && request.method !== 'patchList' && !record) return ifStatus(404)
  const admitted = admit(state, request, answer)
  if (!admitted) return ifStatus(412)
  if (request.method === 'delete') {
    const { version } = state
    return answer.status === 204 ? { version, isShown: false } : undefined
  }
  const { method, body = {} } = request
  const next = method !== 'put' && record ? writing.patch(record, body) : writing.put(body, record)
  const isChanged = !isDeepStrictEqual(next, record)
  if (method === 'patchList') {
    const counts = { created: record ? 0 : 1, updated: 0, unchanged: 0 }
    if (record) counts[isChanged ? 'updated' : 'unchanged'] = 1
    if (answer.status !== 200 || !isDeepStrictEqual(answer.counts, counts)) return undefined
    return isChanged ? { record: next, version: state.version, isShown: false } : state
  }
  return show(admitted, next, answer, record ? 200 : 201, isChanged)

  function ifStatus(status: number): State | undefined {
    return answer.status === status ? state : undefined
  }
}

/** Returns the state after a change that nobody has seen an answer to; undefined if the request changes nothing. */
function serveUnanswered(
  writing: Writing,
  state: State,
  { method, body = {}, ...request }: Request,
): State | undefined {
  const { record } = state
  const admitted = admit(state, request, { status: 503 })
  if (method === 'get' || !admitted) return undefined
  const { version } = admitted
  if (method === 'delete') return record && { version, isShown: false }
  if (method === 'patch' && !record) return undefined
  const next = method !== 'put' && record ? writing.patch(record, body) : writing.put(body, record)
  return isDeepStrictEqual(next, record) ? undefined : { record: next, version, isShown: false }
}

/** Returns the state once a request's precondition holds, or undefined where the precondition fails. */
function admit(
  state: State,
  request: Pick<Request, 'precondition' | 'lastVersion'>,
  { status }: Answer,
): State | undefined {
  const { record, version, isShown } = state
  const { precondition, lastVersion } = request
  if (precondition === undefined) return state
  if (precondition === 'match none') return record ? undefined : state
  if (!record) return undefined
  if (precondition === 'match any') return state
  if (isShown || lastVersion === undefined || lastVersion <= version)
    return isShown && lastVersion === version ? state : undefined
  // An answer other than 412 proves that the record has that version.
  return status === 412 ? undefined : { record, version: lastVersion, isShown: true }
}

/** Returns the state after an answer with a record; a change gives it a later version. */
function show(
  { version, isShown }: State,
  record: Values,
  answer: Answer,
  status = 200,
  isChanged = false,
): State | undefined {
  const { version: shown = 0 } = answer
  const fits = isChanged || !isShown ? shown > version : shown === version
  return answer.status === status && fits && isDeepStrictEqual(answer.shown, record)
    ? { record, version: shown, isShown: true }
    : undefined
}
