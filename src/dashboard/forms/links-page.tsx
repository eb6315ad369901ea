import { readFormBody as readFields } from '../../http/body.ts'
import { ApiError, isErrorOf } from '../../model/api-error.ts'
import { isAnonymous, type SurveyForm } from '../../model/forms/survey-form.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { searchPeople } from '../../records/search/search-people.ts'
import {
  createFormLinks,
  formPath,
  maxLinks,
  type NewFormLink,
} from '../../sign-up/forms/form-links.ts'
import { listMailings } from '../../store/sign-up/sent-mailings.ts'
import { describeChoice } from '../collection/choices.ts'
import { type CollectionInfo, describeCollection } from '../collection/collection-info.ts'
import { loadRecordsById } from '../collection/read.ts'
import { SentTable } from '../events/messages/sent-table.tsx'
import { ActionButton } from '../ui/button.tsx'
import { checkboxValues } from '../ui/checkbox-values.ts'
import type { FormField } from '../ui/fields.tsx'
import { FieldsForm } from '../ui/fields-form.tsx'
import { listFormTabs } from '../ui/form-tabs.ts'
import { Notice, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { formPagePath, formsPath } from '../ui/paths.ts'
import { PersonSearchForm } from '../ui/person-search-form.tsx'
import { DataTable } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'
import { renderEverybody } from './everybody.tsx'
import { countResponses, type FormContext, loadForm, personKind } from './form-record.ts'
import { canRemind, reminderOf } from './reminder.ts'

const maxShown = 25

const withoutPersonField: FormField = {
  name: 'withoutPerson',
  label: 'Number of links',
  help: `1 to ${maxLinks}. Each works once, unless the form allows several answers.`,
  attributes: { class: 'narrow', inputmode: 'numeric', maxlength: 3 },
}

/** Renders the page that chooses people and makes links for them. */
export async function renderLinksPage(c: FormContext, error?: string) {
  const { form } = await loadForm(c)
  const path = formPagePath(c, form.formId)
  const query = c.req.query('q') ?? ''
  const kind = personKind(form)
  const everybody = isAnonymous(form) ? undefined : await renderEverybody(c, form, kind)
  const people = isAnonymous(form) ? [] : await findPeople(c, kind, query)
  const mailings = await listMailings(c.var.store, form.formId)
  return c.html(
    <Page
      c={c}
      title={form.name || form.formId}
      crumbs={[{ name: 'Forms', href: formsPath(c) }]}
      tabs={listFormTabs(c, form, 'Send to people', await countResponses(c, form.formId))}
    >
      <Notice message={takeFlash(c).notice} />
      {mailings.length > 0 && (
        <section class="section">
          <h2>Sent</h2>
          <SentTable
            mailings={mailings}
            action={(mailing) =>
              c.var.mail &&
              canRemind(form, mailings, mailing) && (
                <ActionButton
                  action={`${path}/links/mail`}
                  hidden={{ who: reminderOf(mailing) }}
                  label="Send a reminder"
                  target="to those who have not answered"
                  class="button small"
                />
              )
            }
          />
        </section>
      )}
      {error !== undefined && <p role="alert">{error}</p>}
      {everybody}
      {!isAnonymous(form) && (
        <section class="section">
          <h2>One by one</h2>
          <p class="quiet">A link for each person whom you choose, to send yourself.</p>
          <PersonSearchForm action={`${path}/links`} query={query} />
          {query.trim() !== '' && people.length === 0 && <p role="status">Nobody matches.</p>}
          {people.length > 0 && (
            <FieldsForm
              action={`${path}/links`}
              fields={[{ name: 'person', label: 'People', options: people, hasSeveral: true }]}
              values={{}}
              saveLabel="Make links"
              isSecondary
            />
          )}
        </section>
      )}
      <section class="section">
        <h2>Without a person</h2>
        <p class="quiet">
          For paper or a tablet at the door. The answers are stored without a name.
        </p>
        <FieldsForm
          action={`${path}/links`}
          fields={[withoutPersonField]}
          values={{ withoutPerson: '1' }}
          saveLabel="Make links"
          isSecondary
        />
      </section>
    </Page>,
    error === undefined ? 200 : 400,
  )
}

/** Makes links and shows them once. */
export async function makeLinks(c: FormContext) {
  const { form } = await loadForm(c)
  const fields = await readFields(c.req)
  const ids = checkboxValues.parse(fields.person)
  const withoutPerson = Number(fields.withoutPerson ?? 0)
  if (!Number.isInteger(withoutPerson) || withoutPerson < 0)
    return renderLinksPage(c, 'The number of links must be a whole number.')
  try {
    const kind = personKind(form)
    const people = { [kind]: ids }
    const links = await createFormLinks(c.var.store, form.formId, { people, withoutPerson })
    const names = await nameLinks(c, kind, links)
    return c.html(<NewLinksPage c={c} form={form} links={links} names={names} />)
  } catch (error) {
    if (!(error instanceof ApiError) || isErrorOf(error, 'NOT_FOUND')) throw error
    return renderLinksPage(c, error.message)
  }
}

type NewLinksProps = {
  c: FormContext
  form: SurveyForm
  links: readonly NewFormLink[]
  names: readonly string[]
}

function NewLinksPage({ c, form, links, names }: NewLinksProps) {
  const { organisationId } = c.var.store
  return (
    <Page c={c} title="New personal links" tabs={[]}>
      <p role="status">
        <strong>Copy the addresses now: they will not be shown again.</strong> Send each to its
        person only.
      </p>
      <section>
        <DataTable
          label="Links"
          isStacked
          columns={[
            { heading: 'For', cell: ({ name }) => name },
            {
              heading: 'Address',
              cell: ({ secret }) => (
                <code>
                  {new URL(formPath(organisationId, form.formId, secret), c.req.url).href}
                </code>
              ),
            },
            { heading: 'Works until (UK time)', cell: ({ expires }) => <Time value={expires} /> },
          ]}
          rows={links.map((link, index) => ({ ...link, name: names[index] }))}
        />
      </section>
      <p>
        <a class="button" href={formPagePath(c, form.formId)}>
          Back to the form
        </a>
      </p>
    </Page>
  )
}

/** Finds people as options: the id, and the name with details that tell namesakes apart. */
async function findPeople(c: FormContext, kind: Kind, query: string) {
  const collection = await describeCollection(c, kind)
  const found = await searchPeople(c.var.store, { kind, fields: collection.fields }, query)
  const people = await found.read(0, maxShown)
  return people.map(({ document }) => toOption(collection, JSON.parse(document)))
}

function toOption(collection: CollectionInfo, values: Record<string, unknown>) {
  const { id, title, detail } = describeChoice(collection, values)
  return { value: id, label: [title, detail].filter(Boolean).join(', ') }
}

/** The labels of links: the name of each person, or the number of a link without a person. */
async function nameLinks(
  c: FormContext,
  kind: Kind,
  links: readonly NewFormLink[],
): Promise<string[]> {
  const collection = await describeCollection(c, kind)
  const ids = links.flatMap(({ person }) => person?.id ?? [])
  const records = await loadRecordsById(c, collection, ids)
  return links.map(({ person }, index) => {
    if (!person) return `Link ${index + 1}`
    const values = records.get(person.id)
    return values ? toOption(collection, values).label : 'Somebody without a record'
  })
}
