import { respondWithTable } from '../../formats/table-file.ts'
import { readFormBody as readFields } from '../../http/body.ts'
import { toLondon } from '../../model/timestamp.ts'
import { single } from '../../platform/single.ts'
import { createFormLinks, formPath } from '../../sign-up/forms/form-links.ts'
import { recordDownload } from '../../store/audit-log.ts'
import { type FormContext, loadForm, personKind } from './form-record.ts'
import { loadRecipients, maxRecipients } from './recipients.ts'

/** Makes a link for each person of a choice, and downloads them with the addresses. */
export async function downloadLinks(c: FormContext): Promise<Response> {
  const { form } = await loadForm(c)
  const { who } = await readFields(c.req)
  const kind = personKind(form)
  const { people } = await loadRecipients(c, form, kind, String(who ?? ''))
  const links = await createFormLinks(
    c.var.store,
    form.formId,
    { people: { [kind]: people.map(({ id }) => id) }, withoutPerson: 0 },
    maxRecipients,
  )
  await recordDownload(c.var.store, kind, 'CSV')
  const { organisationId } = c.var.store
  const rows = people.map(({ id, name, email }, index) => {
    const { secret = '', expires = '' } = links[index] ?? {}
    const { href } = new URL(formPath(organisationId, form.formId, secret), c.req.url)
    return [
      ...[name, id, email, href].map((text) => ({ type: 'text', text }) as const),
      { type: 'time', text: toLondon(expires) } as const,
    ]
  })
  return respondWithTable(c, {
    format: 'csv',
    name: `links-${form.formId}`,
    label: 'Links',
    headings: ['Name', 'Id', 'E-mail', 'Link', 'Works until (UK time)'],
    rows: single(rows),
  })
}
