import { app } from './app.ts'
import type { Bindings } from './platform/bindings.ts'
import type { ChangeEvent } from './webhooks/deliver.ts'

export default {
  fetch: (request, env, context) => app.fetch(request, env, context),

  async queue({ messages }, env, context) {
    const { deliver } = await import('./webhooks/deliver.ts')
    const organisations = messages.map(({ body }) => body.organisationId)
    context.waitUntil((await deliver(env, organisations)).done)
  },

  /**
   * Runs each minute: sends due messages, deletes old attempts, usage, previous versions and links to forms, applies
   * retention rules, keeps up sign-ups, and replaces WEBHOOK_KEY.
   */
  async scheduled({ scheduledTime }, env, context) {
    const [
      { deliver, deleteOldAttempts },
      { deleteOldUsage },
      { deleteOldVersions },
      { runRetention },
      { deleteExpiredFormLinks },
      { runSignUps },
      { reEncryptSecrets },
    ] = await Promise.all([
      import('./webhooks/deliver.ts'),
      import('./admin/usage.ts'),
      import('./store/write/previous-versions.ts'),
      import('./records/retention.ts'),
      import('./store/sign-up/form-links.ts'),
      import('./sign-up/schedule.ts'),
      import('./webhooks/re-encrypt.ts'),
    ])
    context.waitUntil((await deliver(env)).done)
    await deleteOldAttempts(env, scheduledTime)
    await deleteOldUsage(env.DB, scheduledTime)
    await deleteOldVersions(env.DB, scheduledTime)
    await runRetention(env, scheduledTime)
    await deleteExpiredFormLinks(env.DB, scheduledTime)
    await runSignUps(env, scheduledTime)
    await reEncryptSecrets(env, scheduledTime)
  },
} satisfies ExportedHandler<Bindings, ChangeEvent>
