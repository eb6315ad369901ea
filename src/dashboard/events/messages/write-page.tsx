import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { lastDayOfMessages } from '../../../sign-up/deletion-days.ts'
import { type Audience, audiences } from '../../../sign-up/mailings/audience.ts'
import { compose } from '../../../sign-up/mailings/compose.ts'
import type { StaffMessage } from '../../../sign-up/mailings/event-letter.ts'
import { queueMailing } from '../../../sign-up/mailings/queue.ts'
import type { Letter } from '../../../sign-up/message.ts'
import { acceptsBookings } from '../../../sign-up/public-events.ts'
import type { NewMailing } from '../../../store/sign-up/mailings.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { readItems } from '../../ui/fields.tsx'
import { FieldsForm } from '../../ui/fields-form.tsx'
import { type FieldErrors, type FieldValues, validateForm } from '../../ui/form-values.ts'
import { Notice, redirectWithFlash, takeFlash } from '../../ui/notice.tsx'
import { messagesPath, recordPath } from '../../ui/paths.ts'
import { AddressList } from './address-list.tsx'
import { LetterPreview } from './letter-preview.tsx'
import {
  audienceLabels,
  listAudiences,
  MessageForm,
  messageFields,
  readMailingId,
} from './message-form.ts'
import { MessagesPage } from './messages-page.tsx'
import {
  type AddressedFamily,
  hasAnybodyToTell,
  type OpenMessages,
  openMessages,
  toRecipients,
} from './open-messages.ts'

/** Renders the form to write to the people of an event. */
export async function renderWritePage(c: Context<DashboardEnv>, eventId: string) {
  const open = await openMessages(c, eventId)
  return c.html(<WritePage c={c} open={open} values={firstValues(open)} />)
}

/** Offers to write to the people of an event that takes no more bookings, or takes them again. Redirects to the event if nobody is concerned. */
export async function renderStatePage(c: Context<DashboardEnv>, eventId: string) {
  const open = await openMessages(c, eventId)
  if (!c.var.mail || !hasAnybodyToTell(open))
    return c.redirect(recordPath(c, 'events', eventId), 303)
  const { notice = '' } = takeFlash(c)
  const state = acceptsBookings(open.event) ? 'takes bookings' : 'takes no more bookings'
  return c.html(
    <WritePage
      c={c}
      open={open}
      values={firstValues(open)}
      notice={`${notice} The event ${state}. Do you want to tell the people?`.trim()}
    />,
  )
}

const firstValues = ({ recipients }: OpenMessages): FieldValues => ({
  audience: audiences.find((name) => recipients[name].families.length > 0) ?? 'booked',
  hasFacts: 'true',
  hasLink: 'true',
})

/** Shows a preview of a message, sends it to its author as a test, or to everybody after a preview. Renders the form again with the validation errors. */
export async function saveMessage(c: Context<DashboardEnv>, eventId: string) {
  const submitted = await readFormBody(c.req)
  const open = await openMessages(c, eventId, { from: String(submitted.from ?? '') })
  const values = readItems(messageFields(open), submitted)
  const checked = validateForm(MessageForm, values)
  if ('errors' in checked)
    return c.html(<WritePage c={c} open={open} values={values} errors={checked.errors} />, 400)
  const { from: _, ...message } = checked.value
  const { audience } = message
  const { families } = open.recipients[audience]
  const [first] = families
  if (!first || !open.canMail(audience)) {
    const errors = { audience: whyNot(open, audience) }
    return c.html(<WritePage c={c} open={open} values={values} errors={errors} />, 400)
  }
  const mailing = {
    id: readMailingId(submitted),
    purpose: 'event',
    recordId: eventId,
    content: { ...message, origin: new URL(c.req.url).origin } satisfies StaffMessage,
    deleteAfter: lastDayOfMessages(open.last),
    recipients: toRecipients(open.recipients[audience]),
  }
  const previewed = `${audience} ${families.length} ${open.from}`.trim()
  const isTest = submitted.test !== undefined
  if (submitted.previewed === previewed && submitted.again === undefined && !isTest) {
    await queueMailing(c.var.store, mailing)
    const count = formatCount(families.length, 'address', 'addresses')
    return redirectWithFlash(c, messagesPath(c, eventId, `/sent/${mailing.id}`), {
      notice: `The message is on its way to ${count}.`,
    })
  }
  const { email } = c.var.membership ?? {}
  if (isTest && email) await queueMailing(c.var.store, toTest(mailing, first, email))
  const composed = await compose(c.var.store, mailing, first)
  const preview = composed && { letter: composed.letter, to: first, previewed, id: mailing.id }
  const notice = isTest ? `A test is on its way to ${email}. Its links lead nowhere.` : undefined
  return c.html(<WritePage c={c} open={open} values={values} preview={preview} notice={notice} />)
}

/** The same message to its author, as one of the families gets it. */
const toTest = (
  mailing: NewMailing & { content: StaffMessage },
  { bookingIds }: AddressedFamily,
  email: string,
): NewMailing => ({
  ...mailing,
  id: crypto.randomUUID(),
  content: { ...mailing.content, subject: `Test: ${mailing.content.subject}` },
  recipients: [{ name: '', email, bookingIds, isTest: true }],
})

const whyNot = ({ recipients }: OpenMessages, audience: Audience) =>
  recipients[audience].families.length === 0
    ? 'has no address to write to.'
    : 'cannot get mail: copy the addresses instead.'

/** `previewed` names the recipients. If it differs when the form is sent, people see the preview again. */
type Preview = { letter: Letter; to: AddressedFamily; previewed: string; id: string }

type PageProps = {
  c: Context<DashboardEnv>
  open: OpenMessages
  values: FieldValues
  errors?: FieldErrors
  preview?: Preview | undefined
  notice?: string | undefined
}

function WritePage({ c, open, values, errors = {}, preview, notice }: PageProps) {
  const { event, recipients, isCut } = open
  const { eventId } = event
  const { mail, membership } = c.var
  const audience = audiences.find((name) => name === values.audience) ?? 'booked'
  const { families } = recipients[audience]
  return (
    <MessagesPage c={c} event={event} isSeries={open.dates !== undefined} current="write">
      <Notice message={notice} />
      {isCut && <p class="notice warn">Messages go to the first 1,000 bookings only.</p>}
      {!mail && (
        <p class="notice">
          Mail is not set up, so this page sends nothing. Copy the addresses into your own mail
          program.
        </p>
      )}
      <div class="split even">
        <div>
          {mail && (
            <FieldsForm
              action={messagesPath(c, eventId)}
              hidden={preview && { id: preview.id, previewed: preview.previewed }}
              fields={messageFields(open)}
              values={values}
              errors={errors}
              failure="Nothing was sent."
              saveLabel={
                preview
                  ? `Send to ${formatCount(families.length, 'address', 'addresses')}`
                  : 'Preview'
              }
              buttons={
                preview && (
                  <>
                    <button type="submit" class="button" name="again" value="true">
                      Preview again
                    </button>
                    <button type="submit" class="button" name="test" value="true">
                      Send me a test
                    </button>
                  </>
                )
              }
            />
          )}
          {listAudiences(open).map((name) => (
            <AddressList id={name} title={audienceLabels[name]} recipients={recipients[name]} />
          ))}
        </div>
        {preview && (
          <LetterPreview
            letter={preview.letter}
            organisation={membership?.organisation ?? ''}
            to={preview.to.name || preview.to.email}
          />
        )}
      </div>
    </MessagesPage>
  )
}
