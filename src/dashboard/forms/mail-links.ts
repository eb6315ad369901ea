import { readFormBody as readFields } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { parseExpiry, requireLinkableForm } from '../../sign-up/forms/form-links.ts'
import { formPurpose } from '../../sign-up/mailings/compose.ts'
import type { FormInvitation } from '../../sign-up/mailings/form-letter.ts'
import { queueMailing } from '../../sign-up/mailings/queue.ts'
import { withoutUnsubscribed } from '../../sign-up/mailings/without-unsubscribed.ts'
import { redirectWithFlash } from '../ui/notice.tsx'
import { formPagePath } from '../ui/paths.ts'
import { type FormContext, loadForm, personKind } from './form-record.ts'
import { groupByAddress, loadRecipients } from './recipients.ts'

/** Queues a message with personal links for each address of a choice. */
export async function mailLinks(c: FormContext): Promise<Response> {
  const { form } = await loadForm(c)
  const { who, id } = await readFields(c.req)
  const { store } = c.var
  if (!c.var.mail) throw new ApiError('CONFLICT', 'Mail is not set up, so nothing can be sent.')
  const kind = personKind(form)
  await requireLinkableForm(store, form.formId, new Set([kind]))
  const { people } = await loadRecipients(c, form, kind, String(who ?? ''))
  const recipients = await withoutUnsubscribed(
    store,
    groupByAddress(people).map(([email, group]) => ({
      name: '',
      email,
      invited: group.map((person) => ({ kind, id: person.id })),
    })),
  )
  if (recipients.length === 0)
    throw new ApiError('CONFLICT', 'Nobody of these has an address that gets messages.')
  const content: FormInvitation = {
    origin: new URL(c.req.url).origin,
    restrictions: store.credential.restrictions,
  }
  await queueMailing(store, {
    id: parseId(id),
    purpose: formPurpose,
    recordId: form.formId,
    content,
    recipients,
    deleteAfter: parseExpiry(undefined, form.deadline, new Date()).slice(0, 10),
  })
  return redirectWithFlash(c, `${formPagePath(c, form.formId)}/links`, {
    notice: `The links are on their way to ${formatCount(recipients.length, 'address', 'addresses')}.`,
  })
}

/** The form has an id for its mailing, so that sending it twice sends one. */
const parseId = (id: unknown) =>
  typeof id === 'string' && /^[\w-]{36}$/.test(id) ? id : crypto.randomUUID()
