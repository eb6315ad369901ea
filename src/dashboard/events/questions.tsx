import type { Context } from 'hono'
import { readFormBody } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { type EventQuestion, saveEventQuestions } from '../../sign-up/event-questions.ts'
import { readEventQuestions } from '../../store/sign-up/event-questions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { FieldsForm, type FormPart } from '../ui/fields-form.tsx'
import type { FieldErrors, FieldValues } from '../ui/form-values.ts'
import { Notice, redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { registerPath } from '../ui/paths.ts'

/** The path of the page for an event's own questions. */
export const questionsPath = (c: Context<DashboardEnv>, eventId: string) =>
  `${registerPath(c, eventId)}/questions`

/** Renders the questions that an event asks besides the sign-up fields. */
export async function renderQuestionsPage(c: Context<DashboardEnv>, eventId: string) {
  const { name, questions } = await readQuestions(c, eventId)
  const { notice } = takeFlash(c)
  return c.html(
    <QuestionsPage c={c} eventId={eventId} name={name} questions={questions} notice={notice} />,
  )
}

/** Saves the questions that have a text, or renders the form again with the validation errors. */
export async function saveQuestionsForm(c: Context<DashboardEnv>, eventId: string) {
  const questions = parseQuestions(await readFormBody(c.req))
  try {
    await saveEventQuestions(c.var.store, eventId, questions)
  } catch (error) {
    if (!(error instanceof ApiError) || error.errors.length === 0) throw error
    const { name } = await readQuestions(c, eventId)
    const errors = Object.fromEntries(error.errors.map(({ field, message }) => [field, message]))
    return c.html(
      <QuestionsPage c={c} eventId={eventId} name={name} questions={questions} errors={errors} />,
      400,
    )
  }
  return redirectWithFlash(c, questionsPath(c, eventId), { notice: 'Saved.' })
}

async function readQuestions(c: Context<DashboardEnv>, eventId: string) {
  const { event, questions } = await readEventQuestions(c.var.store, eventId)
  if (event === undefined) throw new ApiError('NOT_FOUND', 'There is no event with this id.')
  const { name }: { name?: string } = JSON.parse(event)
  const stored: EventQuestion[] = JSON.parse(questions)
  return { name: name || eventId, questions: stored }
}

const maxQuestions = 20

/** The questions of a form; those without a text are removed. */
function parseQuestions(form: Readonly<Record<string, unknown>>): EventQuestion[] {
  const text = (name: string) => String(form[name] ?? '').trim()
  return Array.from({ length: maxQuestions }, (_, index) => ({
    id: text(`${index}.id`) || crypto.randomUUID(),
    label: text(`${index}.label`),
    hint: text(`${index}.hint`),
    purpose: text(`${index}.purpose`),
    required: text(`${index}.required`) === 'true',
    deleteAfter: text(`${index}.deleteAfter`),
  })).filter(({ label }) => label !== '')
}

type QuestionsProps = {
  c: Context<DashboardEnv>
  eventId: string
  name: string
  questions: readonly EventQuestion[]
  errors?: FieldErrors
  notice?: string | undefined
}

function QuestionsPage({ c, eventId, name, questions, errors = {}, notice }: QuestionsProps) {
  const shown = [...questions, undefined].slice(0, maxQuestions)
  return (
    <Page
      c={c}
      title={`Questions of ${name}`}
      crumbs={[{ name: 'Register', href: registerPath(c, eventId) }]}
      tabs={[]}
    >
      <Notice message={notice} />
      <section>
        <p class="quiet">
          The sign-up form asks these of each person, such as diet or access needs. The answers
          appear on the register only, and are deleted after the day that you state.
        </p>
        <FieldsForm
          action={questionsPath(c, eventId)}
          hidden={Object.fromEntries(shown.map((question, index) => [`${index}.id`, question?.id]))}
          parts={shown.map(toPart)}
          values={Object.assign({}, ...questions.map(toValues))}
          errors={errors}
          saveLabel="Save questions"
        />
      </section>
    </Page>
  )
}

/** The fields of a question; of a new one without `question`. */
const toPart = (question: EventQuestion | undefined, index: number): FormPart => ({
  title: question ? `Question ${index + 1}` : 'New question',
  fields: [
    {
      name: `${index}.label`,
      label: 'Question',
      help: question && 'Without a text, the question and its answers are deleted.',
      attributes: { maxlength: 200 },
    },
    {
      name: `${index}.purpose`,
      label: 'Reason for asking',
      help: 'People read it below the question.',
      attributes: { maxlength: 500 },
    },
    { name: `${index}.hint`, label: 'Hint (optional)', attributes: { maxlength: 500 } },
    {
      name: `${index}.deleteAfter`,
      label: 'Delete the answers after',
      attributes: { type: 'date' },
    },
    { name: `${index}.required`, label: 'An answer is required', tickedValue: 'true' },
  ],
})

const toValues = (question: EventQuestion, index: number): FieldValues =>
  Object.fromEntries(
    Object.entries(question).map(([name, value]) => [`${index}.${name}`, String(value ?? '')]),
  )
