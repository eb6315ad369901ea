import type { Context } from 'hono'
import { respondWithTable } from '../../../formats/table-file.ts'
import { type Cell, maxSheetRows } from '../../../formats/xlsx.ts'
import { answerType } from '../../../model/forms/question-types.ts'
import {
  audiences,
  groupQuestions,
  isAnonymous,
  type Question,
  type SurveyForm,
} from '../../../model/forms/survey-form.ts'
import { isObject, valueAt } from '../../../model/json.ts'
import { kindNames } from '../../../model/properties/schema.ts'
import { formatAnswer } from '../../../public/forms/format-answer.ts'
import { readCountedPage, readPages } from '../../../resources/routes/list-source.ts'
import { recordDownload } from '../../../store/audit-log.ts'
import { describeCollection, type ShownValues } from '../../collection/collection-info.ts'
import { loadRecord } from '../../collection/read.ts'
import { loadLinkedTitles } from '../../records/list/linked-titles.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { valueKinds } from '../../ui/value-kinds.ts'

type Column = { heading: string; cell: (response: ShownValues, names: string) => Cell }

/** Streams the responses to a form as a file: a row for each, with a column for each question. */
export async function downloadAnswers(
  c: Context<DashboardEnv, '/:formId/*'>,
  format: 'csv' | 'xlsx',
): Promise<Response> {
  const forms = await describeCollection(c, 'forms')
  const { values } = await loadRecord(c, forms, c.req.param('formId'))
  // Validation gives a stored form every property.
  const form = values as SurveyForm
  const responses = await describeCollection(c, 'survey-responses')
  const { first, following } = await readPages(
    (query, known) => readCountedPage(c.var.store, responses.list, query, known),
    {
      limit: maxSheetRows,
      offset: 0,
      filters: [{ field: 'surveyId', values: [form.formId] }],
    },
  )
  await recordDownload(c.var.store, responses.name, format === 'csv' ? 'CSV' : 'Excel')
  const columns = listColumns(form)
  return respondWithTable(c, {
    format,
    name: `answers-${form.formId}`,
    label: form.name || 'Answers',
    headings: columns.map(({ heading }) => heading),
    rows: readRows(),
  })

  async function* readRows(): AsyncGenerator<Cell[][], void> {
    yield await toRows(first.documents())
    for await (const page of following) yield await toRows(page.documents())
  }

  async function toRows(documents: readonly string[]): Promise<Cell[][]> {
    const records = documents.map((document): ShownValues => JSON.parse(document))
    const linked = await loadLinkedTitles(c, responses, linkPaths, records)
    const listNames = (record: ShownValues) =>
      linkPaths.flatMap((path) =>
        listIds(record, path).map((id) => linked.get(path)?.titles.get(id) ?? id),
      )
    return records.map((record) => {
      const names = listNames(record).join(', ')
      return columns.map(({ cell }) => cell(record, names))
    })
  }
}

/** The properties that link a response to people. */
const linkPaths: readonly string[] = kindNames.map((kind) => audiences[kind].linkedBy)

const listIds = (record: ShownValues, path: string) =>
  [valueAt(record, path.split('.')) ?? []].flat().map(String)

const toText = (text: string): Cell => ({ type: 'text', text })

/** The columns of a form: when, who, the score, each question, and answers to questions that the form has no longer. */
function listColumns(form: SurveyForm): Column[] {
  const questions = groupQuestions(form)
    .flatMap(({ questions }) => questions)
    .filter((question) => answerType(question) !== undefined)
  const ids = new Set(questions.map(({ questionId }) => questionId))
  const people: Column[] = [
    { heading: 'Person', cell: (_, names) => toText(names) },
    {
      heading: 'Person’s id',
      cell: (record) => toText(linkPaths.flatMap((path) => listIds(record, path)).join(', ')),
    },
  ]
  return nameApart([
    {
      heading: 'Date',
      cell: ({ date }) => valueKinds.time.cell(date) ?? toText(String(date ?? '')),
    },
    ...(isAnonymous(form) ? [] : people),
    ...(form.settings.calculateOverallScore
      ? [{ heading: 'Score', cell: ({ surveyScore }: ShownValues) => toCell(surveyScore) }]
      : []),
    ...questions.map((question) => ({
      heading: question.title || question.questionId,
      cell: (record: ShownValues) => {
        const answer = listAnswers(record).find(
          ({ questionId }) => questionId === question.questionId,
        )
        return toCell(answer?.response, question)
      },
    })),
    {
      heading: 'Answers to former questions',
      cell: (record) =>
        toText(
          listAnswers(record)
            .filter(({ questionId, response }) => !ids.has(String(questionId)) && response !== null)
            .map(({ question, response }) => `${question}: ${toPlainText(response)}`)
            .join('\n'),
        ),
    },
  ])
}

const listAnswers = ({ responses }: ShownValues) =>
  Array.isArray(responses) ? responses.filter(isObject) : []

/** An answer as a cell: numbers and days keep their type, options have their label. */
function toCell(value: unknown, question?: Question): Cell {
  if (value === undefined || value === null) return toText('')
  const text = question ? formatAnswer(question, value) : toPlainText(value)
  const isLabelled = question?.options.some(({ label }) => label === text)
  if (typeof value === 'number' && (!isLabelled || text === String(value)))
    return { type: 'number', value }
  const isDay =
    question && answerType(question) === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(`${value}`)
  return isDay ? { type: 'day', text: String(value) } : toText(text)
}

const toPlainText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Numbers the columns with the heading of an earlier one, so that every program tells them apart. */
function nameApart(columns: readonly Column[]): Column[] {
  const counts = new Map<string, number>()
  return columns.map(({ heading, cell }) => {
    const count = (counts.get(heading) ?? 0) + 1
    counts.set(heading, count)
    return { heading: count > 1 ? `${heading} (${count})` : heading, cell }
  })
}
