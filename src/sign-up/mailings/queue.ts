import { ApiError } from '../../model/api-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import {
  exceedsDailyMessages,
  insertMailing,
  type NewMailing,
} from '../../store/sign-up/mailings.ts'
import type { Store } from '../../store/store.ts'

/** The maximum number of messages of an organisation on a day. The service's own are counted, but never refused. */
export const maxMessagesPerDay = 2000

/** Queues a mailing of staff: one message for each address. Throws 429 if the organisation has sent too many today. */
export async function queueMailing(store: Store, mailing: NewMailing): Promise<void> {
  const { recipients, recordId: target } = mailing
  const { refused } = await store.write(
    {
      permissions: ['write'],
      isInternal: true,
      unless: { tooMany: exceedsDailyMessages(store, recipients.length, maxMessagesPerDay) },
      audit: { action: 'mailing.sent', detail: formatNumber(recipients.length), target },
    },
    insertMailing(store, mailing),
  )
  if (refused) throw tooManyMessages()
}

export const tooManyMessages = () =>
  new ApiError(
    'RATE_LIMITED',
    `An organisation sends at most ${formatNumber(maxMessagesPerDay)} messages a day. Send the rest tomorrow.`,
  )
