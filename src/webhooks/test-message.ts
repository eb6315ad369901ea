import type { Store } from '../store/store.ts'
import { queueMessage } from '../store/webhooks/resend.ts'
import { buildTestMessage } from './message.ts'

/** Queues a test message and returns its id; undefined if the webhook is not active. */
export async function sendTestMessage(store: Store, id: string): Promise<string | undefined> {
  const messageId = `msg_${crypto.randomUUID().replaceAll('-', '')}`
  const at = new Date().toISOString()
  const message = { ...buildTestMessage(messageId, at), attempts: 0, firstAttempt: at, due: at }
  return (await queueMessage(store, id, message)) ? messageId : undefined
}
