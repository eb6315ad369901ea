import { type SQL, sql } from 'drizzle-orm/sql'
import type { HiddenProperties } from '../../access/hidden-properties.ts'
import { valueAt } from '../../model/json.ts'
import { rowsUpTo } from '../bitmap/bits.ts'
import { json } from '../columns.ts'
import type { OrdinalSet } from '../query/ordinal-set.ts'
import type { QueryReader } from '../query/query-reader.ts'
import { maxBytes } from '../query/term-ranges.ts'
import { ValueColumn } from './column.ts'
import { decodeValue, readDocuments, scalarsOf } from './read-documents.ts'

/** A column of the answers to a question: their values, or with `isPresence` true for each response that has one. */
export type QuestionColumn = { question: string; isPresence: boolean }

/** An answer with its encoded value, and for a caller with hidden fields the type and the text of its question. */
type Answer = [questionId: string, value: string, type?: string | null, question?: string | null]

/** The number of answers of most responses, and that of the longest: a document has at most 100,000 bytes. */
const [fewAnswers, maxAnswers] = [50, 1515]

/** The number of records of a statement. */
const chunkRecords = 2000

/**
 * Reads the answers of survey responses to some questions. The index has no lists of objects, so this reads documents,
 * one row each. Other answers, and texts that only have to be present, stay in the database.
 */
export async function readAnswers(
  reader: QueryReader,
  questions: readonly QuestionColumn[],
  matched: OrdinalSet,
  hidden: HiddenProperties | undefined,
): Promise<ValueColumn[]> {
  const columns = questions.map(() => new ValueColumn(matched.size))
  if (questions.length === 0 || matched.size === 0) return columns
  const indexesOf = Map.groupBy(questions.keys(), (index) => questions[index]?.question)
  const answers = json<Answer[]>(selectAnswers(questions, hidden !== undefined))
  await readDocuments(reader, matched, { columns: { answers }, chunkRecords }, (record, row) => {
    for (const answer of row.answers) {
      const value = hidden ? redactValue(answer, hidden) : decodeValue(answer[1])
      if (value === null) continue
      for (const index of indexesOf.get(answer[0]) ?? [])
        columns[index]?.addValues(record, questions[index]?.isPresence ? [true] : scalarsOf(value))
    }
  })
  return columns
}

/** The value of an answer as the caller may see it; null if it is hidden. */
function redactValue(
  [questionId, value, type, question]: Answer,
  hidden: HiddenProperties,
): unknown {
  const answer = { questionId, question, type, response: decodeValue(value) }
  const redacted = hidden.redact({ responses: [answer] })
  const isShown = valueAt(redacted, ['responses', '0', 'questionId']) === questionId
  return isShown ? valueAt(redacted, ['responses', '0', 'response']) : null
}

/** SQL for the answers of a document to the questions, as JSON. D1 would count each row of `json_each` as read. */
function selectAnswers(questions: readonly QuestionColumn[], isRedacted: boolean): SQL {
  const valued = questions.filter(({ isPresence }) => isRedacted || !isPresence)
  const parts = JSON.stringify(
    Object.fromEntries([
      ...questions.map(({ question }) => [question, 'presence']),
      ...valued.map(({ question }) => [question, 'value']),
    ]),
  )
  const length = sql`json_array_length(document, '$.responses')`
  const at = (name: string) => sql`('$.responses[' || position || '].${sql.raw(name)}')`
  const value = encodeAnswer(at('response'))
  const context = sql`, document ->> ${at('type')}, document ->> ${at('question')}`
  const among = (positions: number) =>
    sql`(SELECT json_group_array(json_array(id, iif(part = 'value', ${value}, 'jtrue')${isRedacted ? context : sql``}))
      FROM (
        SELECT position, document ->> ${at('questionId')} AS id,
          ${parts} ->> ('$.' || json_quote(document ->> ${at('questionId')})) AS part
        FROM (SELECT column1 AS position FROM ${sql.raw(rowsUpTo(positions))})
        WHERE position < ${length}
      )
      WHERE part IS NOT NULL AND ${value} NOT IN ('t', 'j[]'))`
  return sql`iif(${length} <= ${sql.raw(String(fewAnswers))}, ${among(fewAnswers)}, ${among(maxAnswers)})`
}

/** SQL for the answer at a path of a document, as `decodeValue` reads it; NULL for none. */
const encodeAnswer = (path: SQL): SQL => sql`CASE json_type(document, ${path})
  WHEN 'text' THEN 't' || substr(document ->> ${path}, 1, ${sql.raw(String(maxBytes))})
  WHEN 'object' THEN NULL
  WHEN 'null' THEN NULL
  ELSE 'j' || (document -> ${path}) END`
