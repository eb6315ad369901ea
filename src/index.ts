import { app } from './app.ts'
import { refuseWithoutTls } from './http/require-tls.ts'
import type { Bindings } from './platform/bindings.ts'
import { openBindings } from './platform/timeout.ts'
import type { ChangeEvent } from './webhooks/deliver.ts'

export default {
  fetch: (request, env, context) => refuseWithoutTls(request) ?? app.fetch(request, env, context),

  async queue({ messages }, env, context) {
    const { deliver } = await import('./webhooks/deliver.ts')
    const organisations = messages.map(({ body }) => body.organisationId)
    context.waitUntil((await deliver(openBindings(env), organisations)).done)
  },

  /** Runs each minute: sends due messages, and does the work of the schedule. */
  async scheduled({ scheduledTime }, env, context) {
    const [{ deliver }, { runSchedule }] = await Promise.all([
      import('./webhooks/deliver.ts'),
      import('./schedule.ts'),
    ])
    const bindings = openBindings(env)
    context.waitUntil((await deliver(bindings)).done)
    await runSchedule(bindings, scheduledTime)
  },
} satisfies ExportedHandler<Bindings, ChangeEvent>
