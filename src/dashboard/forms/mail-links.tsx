import type { Context } from 'hono'
import { readFormBody as readFields } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { parseExpiry, requireLinkableForm } from '../../sign-up/forms/form-links.ts'
import { compose } from '../../sign-up/mailings/compose.ts'
import type { FormInvitation, FormPurpose } from '../../sign-up/mailings/form-letter.ts'
import { queueMailing } from '../../sign-up/mailings/queue.ts'
import { withoutUnsubscribed } from '../../sign-up/mailings/without-unsubscribed.ts'
import type { Letter } from '../../sign-up/message.ts'
import type { NewMailing, Recipient } from '../../store/sign-up/mailings.ts'
import { LetterPreview } from '../events/messages/letter-preview.tsx'
import { readMailingId } from '../events/messages/message-form.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { FieldsForm } from '../ui/fields-form.tsx'
import { listFormTabs } from '../ui/form-tabs.ts'
import { redirectWithFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { formPagePath, formsPath } from '../ui/paths.ts'
import { countResponses, type FormContext, loadForm, personKind } from './form-record.ts'
import { groupByAddress, loadRecipients } from './recipients.ts'
import { loadReminder, reminderIdOf } from './reminder.ts'

/** Shows the message with the personal links of a choice of people, and after this preview sends it to each address. */
export async function mailLinks(c: FormContext): Promise<Response> {
  const { form } = await loadForm(c)
  const submitted = await readFields(c.req)
  const { store } = c.var
  if (!c.var.mail) throw new ApiError('CONFLICT', 'Mail is not set up, so nothing can be sent.')
  await requireLinkableForm(store, form.formId, new Set([personKind(form)]))
  const who = String(submitted.who ?? '')
  const { purpose, recipients } = await chooseRecipients(c, form, who)
  const [first] = recipients
  if (!first) throw new ApiError('CONFLICT', 'Nobody of these has an address that gets messages.')
  const content: FormInvitation = {
    origin: new URL(c.req.url).origin,
    restrictions: store.credential.restrictions,
  }
  const mailing: NewMailing = {
    id: reminderIdOf(who) ?? readMailingId(submitted),
    purpose,
    recordId: form.formId,
    content,
    recipients,
    deleteAfter: parseExpiry(undefined, form.deadline, new Date()).slice(0, 10),
  }
  const previewed = `${who} ${recipients.length}`
  const count = formatCount(recipients.length, 'address', 'addresses')
  if (submitted.previewed === previewed) {
    await queueMailing(store, mailing)
    return redirectWithFlash(c, `${formPagePath(c, form.formId)}/links`, {
      notice: `The links are on their way to ${count}.`,
    })
  }
  const composed = await compose(store, mailing, first)
  if (!composed)
    throw new ApiError('CONFLICT', 'The first of these people has just answered. Try again.')
  return c.html(
    <MailPage
      c={c}
      form={form}
      hidden={{ who, previewed, id: mailing.id }}
      count={count}
      letter={composed.letter}
      to={first.email}
      responses={await countResponses(c, form.formId)}
    />,
  )
}

/** The addresses of a choice with their people. Addresses that stopped messages are left out. */
async function chooseRecipients(
  c: FormContext,
  form: SurveyForm,
  who: string,
): Promise<{ purpose: FormPurpose; recipients: Recipient[] }> {
  const { store } = c.var
  const reminder = await loadReminder(store, form, who)
  if (reminder)
    return {
      purpose: 'form-reminder',
      recipients: await withoutUnsubscribed(store, reminder),
    }
  const kind = personKind(form)
  const { people } = await loadRecipients(c, form, kind, who)
  const recipients = groupByAddress(people).map(([email, group]) => ({
    name: '',
    email,
    invited: group.map(({ id }) => ({ kind, id })),
  }))
  return { purpose: 'form', recipients: await withoutUnsubscribed(store, recipients) }
}

type PageProps = {
  c: Context<DashboardEnv>
  form: SurveyForm
  hidden: { who: string; previewed: string; id: string }
  /** The number of addresses in words. */
  count: string
  letter: Letter
  to: string
  responses: number | undefined
}

function MailPage({ c, form, hidden, count, letter, to, responses }: PageProps) {
  const path = `${formPagePath(c, form.formId)}/links`
  return (
    <Page
      c={c}
      title={form.name || form.formId}
      crumbs={[{ name: 'Forms', href: formsPath(c) }]}
      tabs={listFormTabs(c, form, 'Send to people', responses)}
    >
      <div class="split even">
        <section class="section">
          <h2>Send this message?</h2>
          <p>
            It goes to {count}. Each address gets one message, with a link for each of its people.
            People who stopped messages get none.
          </p>
          <FieldsForm
            action={`${path}/mail`}
            hidden={hidden}
            values={{}}
            saveLabel={`Send to ${count}`}
            cancelPath={path}
            cancelLabel="Do not send it"
          />
        </section>
        <LetterPreview
          letter={letter}
          organisation={c.var.membership?.organisation ?? ''}
          to={to}
        />
      </div>
    </Page>
  )
}
