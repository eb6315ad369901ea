import { readFormBody as readFields } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { listConditionSources } from '../../model/forms/conditions.ts'
import { filledKind, type SurveyForm } from '../../model/forms/survey-form.ts'
import { parseStoredSchema } from '../../model/properties/schema.ts'
import { layoutOf, putQuestion, putSection, toParts } from '../../sign-up/forms/layout.ts'
import { maxQuestions } from '../../sign-up/forms/publishing.ts'
import { readVisibleSchema } from '../../store/read/single.ts'
import { readTexts } from '../ui/form-values.ts'
import { redirectWithFlash } from '../ui/notice.tsx'
import { formPagePath } from '../ui/paths.ts'
import { type FormContext, loadForm, saveForm } from './form-record.ts'
import {
  buildQuestion,
  readQuestionDraft,
  toQuestionDraft,
  unusedFields,
} from './question-draft.ts'
import { QuestionPage } from './question-form.tsx'
import { SectionPage } from './section-form.tsx'

/** Renders the form for an existing question, or for a new one without an `id` in the query. */
export async function renderQuestionPage(c: FormContext) {
  const { form, etag } = await loadForm(c)
  const id = c.req.query('id')
  const question = id === undefined ? undefined : findQuestion(form, id)
  const section = Number(c.req.query('section') ?? question?.section ?? 0)
  return c.html(
    <QuestionPage
      c={c}
      form={form}
      etag={etag}
      questionId={id}
      draft={toQuestionDraft(question, section, listConditionSources(form, id))}
      fields={unusedFields(await loadSchema(c, form), form.questions)}
    />,
  )
}

/** Saves a question. Renders the form again on errors, or if somebody else changed the form. */
export async function saveQuestion(c: FormContext) {
  const fields = await readFields(c.req)
  const { form, etag } = await loadForm(c)
  const id = fields.$id === undefined ? undefined : String(fields.$id)
  const existing = id === undefined ? undefined : findQuestion(form, id)
  const schema = await loadSchema(c, form)
  const draft = readQuestionDraft(fields)
  const page = {
    c,
    form,
    etag,
    draft,
    questionId: id,
    fields: unusedFields(schema, form.questions),
  }
  const result = buildQuestion(draft, existing, schema, listConditionSources(form, id))
  if ('errors' in result) return c.html(<QuestionPage {...page} errors={result.errors} />, 400)
  if (!existing && form.questions.length >= maxQuestions)
    return c.html(
      <QuestionPage {...page} error={`A form has at most ${maxQuestions} questions.`} />,
      400,
    )
  const layout = layoutOf(form)
  const section = Math.min(Math.max(0, Math.trunc(Number(draft.section)) || 0), layout.length - 1)
  const patch = toParts(putQuestion(layout, result.question, section))
  const refusal = await saveForm(c, String(fields.$etag), patch)
  if (refusal) return c.html(<QuestionPage {...page} error={refusal.message} />, refusal.status)
  return redirectWithFlash(c, formPagePath(c, form.formId), { notice: 'Saved.' })
}

/** Renders the form for an existing section, or for a new one without an `index` in the query. */
export async function renderSectionPage(c: FormContext) {
  const { form, etag } = await loadForm(c)
  const index = c.req.query('index') === undefined ? undefined : Number(c.req.query('index'))
  const { title = '', description = '' } = layoutOf(form)[index ?? -1] ?? {}
  return c.html(
    <SectionPage
      c={c}
      etag={etag}
      index={index}
      title={title}
      description={description}
      formId={form.formId}
    />,
  )
}

const maxSections = 50
const maxSectionTitle = 255

/** Saves a section. Renders the form again on errors, or if somebody else changed the form. */
export async function saveSection(c: FormContext) {
  const fields = await readFields(c.req)
  const { form, etag } = await loadForm(c)
  const index = fields.$index === undefined ? undefined : Number(fields.$index)
  const { title, description } = readTexts(['title', 'description'], fields)
  const page = { c, etag, index, title, description, formId: form.formId }
  const layout = layoutOf(form)
  const isFull = index === undefined && layout.length >= maxSections
  const error = findSectionError(title, isFull)
  if (error) return c.html(<SectionPage {...page} error={error} />, 400)
  const patch = toParts(putSection(layout, { title, description }, index))
  const refusal = await saveForm(c, String(fields.$etag), patch)
  if (refusal) return c.html(<SectionPage {...page} error={refusal.message} />, refusal.status)
  return redirectWithFlash(c, formPagePath(c, form.formId), { notice: 'Saved.' })
}

function findSectionError(title: string, isFull: boolean): string | undefined {
  if (title === '' || title.length > maxSectionTitle)
    return `The heading must have 1 to ${maxSectionTitle} characters.`
  return isFull ? `A form has at most ${maxSections} sections.` : undefined
}

function findQuestion({ questions }: SurveyForm, id: string) {
  const question = questions.find(({ questionId }) => questionId === id)
  if (!question) throw new ApiError('NOT_FOUND', 'This question does not exist any more.')
  return question
}

async function loadSchema(c: FormContext, form: SurveyForm) {
  const kind = filledKind(form)
  return kind && parseStoredSchema(await readVisibleSchema(c.var.store, kind))
}
