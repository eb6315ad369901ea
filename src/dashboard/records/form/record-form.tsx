import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { type Choice, findChoices, loadChoices } from '../../collection/choices.ts'
import { type PickerSearch, searchName } from '../../collection/picker.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { SaveButtons } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import {
  type FormErrors,
  type FormLayout,
  type FormValues,
  listOf,
  listQuestions,
  type Part,
  type Question,
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
  values: FormValues
  /** Texts to search for, by the name of the picker's search field. */
  searches?: Readonly<Record<string, unknown>>
  /** Values that the form sends back. */
  hidden: Readonly<Record<string, string>>
  errors?: FormErrors
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
  values: FormValues,
  text: string,
) {
  const [chosen, choices] = await Promise.all([
    loadChoices(c, collection, listOf(values, name)),
    text === '' ? undefined : findChoices(c, collection, text),
  ])
  return [name, { chosen, search: choices && { text, choices } }] as const
}

function RecordForm(props: RecordFormProps & { links: Links }) {
  const { c, title, crumbs, action, cancelPath, saveLabel, layout, hidden, error, notice } = props
  const questions = listQuestions(layout)
  const errors = completeErrors(questions, props.errors ?? {})
  const parts = { ...props, errors }
  const hasOtherErrors = listQuestions({ ...layout, parts: [] }).some(({ names }) =>
    names.some((name) => name in errors),
  )
  return (
    <Page c={c} title={title} crumbs={crumbs} tabs={[]}>
      <ErrorSummary questions={questions} errors={errors} error={error} />
      <form class="form" method="post" action={action}>
        {Object.entries(hidden).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {/* The Enter key presses the first button, which must not be one that searches. */}
        <input type="submit" hidden value={saveLabel} />
        {notice}
        <Parts parts={layout.parts} form={parts} />
        {layout.otherParts.length > 0 && (
          <details class="fold part-fold" open={hasOtherErrors || layout.parts.length === 0}>
            <summary>
              <strong>More</strong>{' '}
              <span class="quiet">{summarise(listQuestions({ ...layout, parts: [] }))}</span>
            </summary>
            <Parts parts={layout.otherParts} form={parts} />
          </details>
        )}
        <SaveButtons label={saveLabel} cancelPath={cancelPath} />
      </form>
    </Page>
  )
}

const maxNamed = 5

/** The labels of the first questions, and the number of the others. */
function summarise(questions: readonly Question[]): string {
  const labels = questions.slice(0, maxNamed).map(({ label }) => label)
  const more = questions.length - labels.length
  return more > 0 ? `${labels.join(', ')} and ${more} more` : labels.join(', ')
}

type PartsProps = {
  parts: readonly Part[]
  form: Pick<RecordFormProps, 'c' | 'values'> & { errors: FormErrors; links: Links }
}

function Parts({ parts, form: { c, values, errors, links } }: PartsProps) {
  return (
    <>
      {parts.map(({ title, hint, questions, isRow }) => {
        const controls = questions.map(({ Control, names: [name = ''] }) => (
          <Control
            c={c}
            values={values}
            errors={errors}
            chosen={links[name]?.chosen ?? []}
            search={links[name]?.search}
          />
        ))
        return (
          <section class="part">
            <div>
              <h2>{title}</h2>
              {hint && <p class="quiet">{hint}</p>}
            </div>
            <div>{isRow ? <div class="trio">{controls}</div> : controls}</div>
          </section>
        )
      })}
    </>
  )
}

type ErrorSummaryProps = {
  questions: readonly Question[]
  errors: FormErrors
  error: string | undefined
}

function ErrorSummary({ questions, errors, error }: ErrorSummaryProps) {
  const names = questions.flatMap((question) => question.names).filter((name) => errors[name])
  if (!error && names.length === 0) return null
  return (
    <div class="error-summary" role="alert" aria-labelledby="problem" tabindex={-1}>
      <h2 id="problem">There is a problem</h2>
      {error && <p>{error}</p>}
      <ul>
        {names.map((name) => (
          <li>
            <a href={`#field-${name}`}>{errors[name]}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Completes messages without a subject by the label of their question. */
const completeErrors = (questions: readonly Question[], errors: FormErrors): FormErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, message]) => {
      const question = questions.find(({ names }) => names.includes(name))
      return [name, question && /^[a-z]/.test(message) ? `${question.label} ${message}` : message]
    }),
  )
