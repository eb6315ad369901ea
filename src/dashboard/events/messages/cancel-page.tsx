import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { ApiError } from '../../../model/api-error.ts'
import { formatShortDay } from '../../../model/dates.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { cancelEvent } from '../../../sign-up/mailings/cancel-event.ts'
import type { EventDocument } from '../../../sign-up/public-events.ts'
import { maxRegisterBookings } from '../../../store/sign-up/register.ts'
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

/** Asks before an event, or a series with its dates to come, is cancelled, and says how many people get a message. */
export async function renderCancelPage(c: Context<DashboardEnv>, eventId: string) {
  return c.html(<CancelPage c={c} open={await openMessages(c, eventId)} />)
}

/** Cancels an event or a series, and tells its people. Asks again if their number has changed since the question. */
export async function saveCancellation(c: Context<DashboardEnv>, eventId: string) {
  const submitted = await readFormBody(c.req)
  const open = await openMessages(c, eventId)
  const { concerned, event, chosen, dates, isCut } = open
  if (dates && isCut)
    throw new ApiError(
      'CONFLICT',
      `The dates to come have more than ${formatNumber(maxRegisterBookings)} bookings. Cancel the dates one by one.`,
    )
  if (submitted.people !== describeRecipients(concerned))
    return c.html(<CancelPage c={c} open={open} />)
  const values = readItems([sentenceField], submitted)
  const { families, unreachable } = concerned
  await cancelEvent(c.var.store, {
    mailingId: crypto.randomUUID(),
    event,
    dates: chosen,
    bookingIds: [...families, ...unreachable].flatMap(({ bookingIds }) => bookingIds),
    recipients: c.var.mail ? toRecipients(concerned) : [],
    message: { text: textOf(values, sentenceField.name).trim().slice(0, 1000) },
  })
  const path = c.var.mail ? messagesPath(c, eventId, '/sent') : registerPath(c, eventId)
  const notice = dates ? 'The series is cancelled.' : 'The event is cancelled.'
  return redirectWithFlash(c, path, { notice })
}

function CancelPage({ c, open }: { c: Context<DashboardEnv>; open: OpenMessages }) {
  const { event, concerned, dates } = open
  const { mail } = c.var
  const noun = dates ? 'series' : 'event'
  const count = formatCount(concerned.families.length, 'address', 'addresses')
  return (
    <MessagesPage c={c} event={event} isSeries={dates !== undefined}>
      <section class="section">
        <h2>Cancel this {noun}?</h2>
        {dates && (
          <p>
            {dates.length === 0
              ? 'No date is to come.'
              : `${formatCount(dates.length, 'date')} to come, ${describePeriod(dates)}. Past dates do not change.`}
          </p>
        )}
        <p>
          {describeRecipients(concerned)}: their bookings are cancelled, and the {noun} takes no
          more.{' '}
          {mail ? `A message goes to ${count}.` : 'Mail is not set up, so tell them yourself.'}
        </p>
        <AddressList id="concerned" title="Booked or waiting" recipients={concerned} />
        <FieldsForm
          action={messagesPath(c, event.eventId, '/cancel')}
          hidden={{ people: describeRecipients(concerned) }}
          fields={mail ? [sentenceField] : []}
          values={{}}
          saveLabel={`Cancel the ${noun}`}
          isDangerous
          cancelPath={registerPath(c, event.eventId)}
          cancelLabel="Keep it"
        />
      </section>
    </MessagesPage>
  )
}

/** Such as "5 Dec 2026 to 24 Jul 2027". */
const describePeriod = (dates: readonly EventDocument[]) =>
  [...new Set([dates[0], dates.at(-1)])]
    .map((date) => formatShortDay(londonDay(date?.start ?? '')))
    .join(' to ')
