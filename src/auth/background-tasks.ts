import { logError } from '../http/errors.ts'
import type { Bindings } from '../platform/bindings.ts'
import type { Store } from '../store/store.ts'

/** What there is of a request while it is answered. */
type BackgroundContext = {
  env: Pick<Bindings, 'CHANGES'>
  executionCtx: Pick<ExecutionContext, 'waitUntil'>
  var: { requestId: string }
}

/** Lets something go on after the answer; whoever asked learns nothing of its failure. */
export function runInBackground(c: BackgroundContext, task: Promise<unknown>): void {
  c.executionCtx.waitUntil(task.catch((error: Error) => logError(error, c.var.requestId)))
}

/** Has the organisation's webhooks told of what was written, if any are to be (additions 3). */
export function notifyWebhooks(c: BackgroundContext, { hasWebhooks, organisationId }: Store): void {
  if (hasWebhooks) runInBackground(c, c.env.CHANGES.send({ organisationId }))
}
