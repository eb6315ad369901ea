import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { type Choice, findChoices, loadChoices } from '../../collection/choices.ts'
import { type PickerSearch, searchName } from '../../collection/picker.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { completeMessage } from '../../ui/error-summary.tsx'
import type { CustomField } from '../../ui/fields.tsx'
import { FieldsForm, type FormPart } from '../../ui/fields-form.tsx'
import { type FieldErrors, type FieldValues, textsOf } from '../../ui/form-values.ts'
import { Page } from '../../ui/page.tsx'
import {
  type FormLayout,
  listQuestions,
  type QuestionPart,
  type RecordQuestion,
} from './question.ts'

export type RecordFormProps = {
  c: Context<DashboardEnv>
  title: string
  /** The pages above this one. */
  crumbs: readonly { name: string; href: string }[]
  action: string
  cancelPath: string
  saveLabel: string
  layout: FormLayout
  values: FieldValues
  /** Texts to search for, by the name of the picker's search field. */
  searches?: Readonly<Record<string, unknown>>
  /** Values that the form sends back. */
  hidden: Readonly<Record<string, string>>
  errors?: FieldErrors
  /** An error that concerns no field. */
  error?: string | undefined
  /** Shown above the questions. */
  notice?: Child
}

type Links = Readonly<
  Record<string, { chosen: readonly Choice[]; search: PickerSearch | undefined }>
>

/** Responds with the form of a record: the submitted values, their errors and the results of searches. */
export async function renderForm(props: RecordFormProps, status: 200 | 400 | 412 = 200) {
  const { c, layout, values, searches = {} } = props
  const links = await Promise.all(
    listQuestions(layout).flatMap(({ names: [name = ''], collection }) =>
      collection === undefined
        ? []
        : [loadLinks(c, collection, name, values, String(searches[searchName(name)] ?? '').trim())],
    ),
  )
  return c.html(<RecordForm {...props} links={Object.fromEntries(links)} />, status)
}

async function loadLinks(
  c: Context<DashboardEnv>,
  collection: string,
  name: string,
  values: FieldValues,
  text: string,
) {
  const [chosen, choices] = await Promise.all([
    loadChoices(c, collection, textsOf(values, name)),
    text === '' ? undefined : findChoices(c, collection, text),
  ])
  return [name, { chosen, search: choices && { text, choices } }] as const
}

function RecordForm(props: RecordFormProps & { links: Links }) {
  const { c, title, crumbs, action, cancelPath, saveLabel, layout, values, hidden } = props
  const { errors = {}, error, notice, links } = props
  const others = listQuestions({ ...layout, parts: [] })
  const toParts = (parts: readonly QuestionPart[]): FormPart[] =>
    parts.map(({ questions, ...part }) => ({
      ...part,
      fields: questions.map((question) => toField(c, question, links)),
    }))
  return (
    <Page c={c} title={title} crumbs={crumbs} tabs={[]}>
      <FieldsForm
        action={action}
        hidden={hidden}
        parts={toParts(layout.parts)}
        fold={{
          summary: (
            <>
              <strong>More</strong> <span class="quiet">{summarise(others)}</span>
            </>
          ),
          parts: toParts(layout.otherParts),
          isOpen: layout.parts.length === 0,
        }}
        values={values}
        errors={completeErrors(listQuestions(layout), errors)}
        error={error}
        saveLabel={saveLabel}
        cancelPath={cancelPath}
      >
        {/* The Enter key presses the first button, which must not be one that searches. */}
        <input type="submit" hidden value={saveLabel} />
        {notice}
      </FieldsForm>
    </Page>
  )
}

/** A question as a field of the form, with the records that it links. */
const toField = (
  c: Context<DashboardEnv>,
  { Control, ...question }: RecordQuestion,
  links: Links,
): CustomField => {
  const { chosen = [], search } = links[question.names[0] ?? ''] ?? {}
  return {
    ...question,
    Control: (shown) => <Control c={c} chosen={chosen} search={search} {...shown} />,
  }
}

const maxNamed = 5

/** The labels of the first questions, and the number of the others. */
function summarise(questions: readonly RecordQuestion[]): string {
  const labels = questions.slice(0, maxNamed).map(({ label }) => label)
  const more = questions.length - labels.length
  return more > 0 ? `${labels.join(', ')} and ${more} more` : labels.join(', ')
}

/** The errors with messages that have a subject, also beside the fields. */
const completeErrors = (questions: readonly RecordQuestion[], errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, message]) => {
      const question = questions.find(({ names }) => names.includes(name))
      return [name, question && message ? completeMessage(question, message) : message]
    }),
  )
