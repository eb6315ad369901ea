import { logError } from '../http/errors.ts'
import type { Bindings } from '../platform/bindings.ts'
import type { Store } from '../store/store.ts'

/** What there is of a request while it is answered. */
type Answering = {
  env: Pick<Bindings, 'CHANGES'>
  executionCtx: Pick<ExecutionContext, 'waitUntil'>
  var: { requestId: string }
}

/** Lets something go on after the answer; whoever asked learns nothing of its failure. */
export function afterwards(c: Answering, work: Promise<unknown>): void {
  c.executionCtx.waitUntil(work.catch((error: Error) => logError(error, c.var.requestId)))
}

/** Has the organisation's webhooks told of what was written, if any are to be (additions 3). */
export function tellWebhooks(c: Answering, { followed, organisationId }: Store): void {
  if (followed) afterwards(c, c.env.CHANGES.send({ organisationId }))
}
