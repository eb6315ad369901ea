import type { Bindings } from '../platform/bindings.ts'
import { logError } from '../platform/log.ts'
import type { Store } from '../store/store.ts'

/** The part of Hono's context that background tasks need. */
type BackgroundContext = {
  env: Pick<Bindings, 'CHANGES'>
  executionCtx: Pick<ExecutionContext, 'waitUntil'>
  var: { requestId: string }
}

/** Runs a task after the response. Failures are logged, not returned. */
export function runInBackground(c: BackgroundContext, task: Promise<unknown>): void {
  const { requestId } = c.var
  c.executionCtx.waitUntil(
    task.catch((error: unknown) => logError('background', { requestId }, error)),
  )
}

/** Queues deliveries for the organisation's webhooks after a write. */
export function notifyWebhooks(c: BackgroundContext, { hasWebhooks, organisationId }: Store): void {
  if (hasWebhooks) runInBackground(c, c.env.CHANGES.send({ organisationId }))
}
