import type { Context } from 'hono'
import { valueAt } from '../../../model/json.ts'
import { compareCodePoints } from '../../../model/query/compare-texts.ts'
import { measureOf } from '../../../model/summary/parse-summary.ts'
import type { ValueColumn } from '../../../store/summary/column.ts'
import type { Summary } from '../../../store/summary/read-summary.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import { loadRecordsById } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { type NamedQuestion, resultTypes } from './result-types.ts'

const [maxQuotations, maxCharacters] = [10, 500]

const [idMeasure, dateMeasure] = [measureOf('distinct', 'responseId'), measureOf('max', 'date')]

/** The measures that a summary of responses needs for their quotations. */
export const quotedMeasures = [idMeasure, dateMeasure]

/** Loads the newest answers to the questions that are quoted. Returns a function for those to a question. */
export async function loadQuotations(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  { columnOf }: Summary,
  questions: readonly NamedQuestion[],
): Promise<(question: NamedQuestion) => string[]> {
  const [ids, dates] = [columnOf(idMeasure), columnOf(dateMeasure)]
  const quoted = questions.filter(({ resultType }) => resultTypes[resultType].isQuoted)
  const newest = Array.from({ length: quoted.length > 0 ? ids.values.length : 0 }, (_, record) => ({
    record,
    id: textOf(ids, record),
    date: textOf(dates, record),
  })).toSorted((one, other) => compareCodePoints(other.date, one.date))
  const idsByName = new Map(
    quoted.map(({ name }) => {
      const answers = columnOf(measureOf('known', name))
      const answered = newest.filter(({ record }) => answers.codesOf(record).length > 0)
      return [name, answered.slice(0, maxQuotations).map(({ id }) => id)]
    }),
  )
  const responses = await loadRecordsById(c, collection, [...idsByName.values()].flat())
  return ({ name, question }) =>
    (idsByName.get(name) ?? []).flatMap((id) => quote(responses.get(id), question.questionId))
}

/** The text of a record in a column. */
const textOf = (column: ValueColumn, record: number) =>
  column
    .codesOf(record)
    .map((code) => String(column.values[code]))
    .join()

/** The answer of a response to a question, cut if it is long; nothing if the response is gone. */
function quote(response: ShownValues | undefined, questionId: string): string[] {
  const answers = response?.responses
  if (!Array.isArray(answers)) return []
  return answers
    .filter((answer) => valueAt(answer, ['questionId']) === questionId)
    .map((answer) => String(valueAt(answer, ['response']) ?? ''))
    .map((text) => (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text))
}
