import { app } from './app.ts'
import type { Bindings } from './platform/bindings.ts'
import type { Changed } from './webhooks/deliver.ts'

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),

  async queue({ messages }, env, context) {
    const { deliver } = await import('./webhooks/deliver.ts')
    const organisations = messages.map(({ body }) => body.organisationId)
    context.waitUntil((await deliver(env, organisations)).done)
  },

  /** Each minute: what the queue has lost, what was written without it, what is to be tried again, and what is kept no longer. */
  async scheduled({ scheduledTime }, env, context) {
    const [{ deliver, forgetAttempts }, { forgetUsage }, { retain }] = await Promise.all([
      import('./webhooks/deliver.ts'),
      import('./auth/usage.ts'),
      import('./records/retention.ts'),
    ])
    context.waitUntil((await deliver(env)).done)
    await forgetAttempts(env, scheduledTime)
    await forgetUsage(env.DB, scheduledTime)
    await retain(env, scheduledTime)
  },
} satisfies ExportedHandler<Bindings, Changed>
