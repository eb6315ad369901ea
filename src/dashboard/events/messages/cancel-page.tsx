import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { ApiError } from '../../../model/api-error.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { cancelEvent } from '../../../sign-up/mailings/cancel-event.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { readItems } from '../../ui/fields.tsx'
import { FieldsForm } from '../../ui/fields-form.tsx'
import { textOf } from '../../ui/form-values.ts'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { messagesPath, registerPath } from '../../ui/paths.ts'
import { AddressList } from './address-list.tsx'
import { describeRecipients, sentenceField } from './message-form.ts'
import { MessagesPage } from './messages-page.tsx'
import { type OpenMessages, openMessages, toRecipients } from './open-messages.ts'

/** Asks before an event is cancelled, and says how many people are told. */
export async function renderCancelPage(c: Context<DashboardEnv>, eventId: string) {
  return c.html(<CancelPage c={c} open={await openCancellation(c, eventId)} />)
}

/** Cancels an event, and tells its people. Asks again if their number has changed meanwhile. */
export async function saveCancellation(c: Context<DashboardEnv>, eventId: string) {
  const submitted = await readFormBody(c.req)
  const open = await openCancellation(c, eventId)
  const { concerned, event } = open
  if (submitted.people !== describeRecipients(concerned))
    return c.html(<CancelPage c={c} open={open} />)
  const values = readItems([sentenceField], submitted)
  const { families, unreachable } = concerned
  await cancelEvent(c.var.store, {
    mailingId: crypto.randomUUID(),
    event,
    bookingIds: [...families, ...unreachable].flatMap(({ bookingIds }) => bookingIds),
    recipients: c.var.mail ? toRecipients(concerned) : [],
    message: { text: textOf(values, sentenceField.name).trim().slice(0, 1000) },
  })
  const path = c.var.mail ? messagesPath(c, eventId, '/sent') : registerPath(c, eventId)
  return redirectWithFlash(c, path, { notice: 'The event is cancelled.' })
}

async function openCancellation(c: Context<DashboardEnv>, eventId: string) {
  const open = await openMessages(c, eventId)
  if (open.dates) throw new ApiError('NOT_FOUND', 'Cancel the dates of a series one by one.')
  return open
}

function CancelPage({ c, open }: { c: Context<DashboardEnv>; open: OpenMessages }) {
  const { event, concerned } = open
  const { mail } = c.var
  const count = formatCount(concerned.families.length, 'address', 'addresses')
  return (
    <MessagesPage c={c} event={event}>
      <section class="section">
        <h2>Cancel this event?</h2>
        <p>
          {describeRecipients(concerned)}: their bookings are cancelled, and the event takes no
          more.{' '}
          {mail ? `A message goes to ${count}.` : 'Mail is not set up, so tell them yourself.'}
        </p>
        <AddressList id="concerned" title="Booked or waiting" recipients={concerned} />
        <FieldsForm
          action={messagesPath(c, event.eventId, '/cancel')}
          hidden={{ people: describeRecipients(concerned) }}
          fields={mail ? [sentenceField] : []}
          values={{}}
          saveLabel="Cancel the event"
          isDangerous
          cancelPath={registerPath(c, event.eventId)}
          cancelLabel="Keep it"
        />
      </section>
    </MessagesPage>
  )
}
