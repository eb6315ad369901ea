import { ambiguousReason } from '../../../import/candidates/match-records.ts'
import { undecidedPersonReason } from '../../../import/candidates/similar-people.ts'
import type { TableImportResult } from '../../../import/report/import-result.ts'
import { duplicateRecordReason } from '../../../import/rows/rejected-rows.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { MessageList } from '../steps/message-list.tsx'
import { listMissingFields } from './apply-choices.ts'
import { ConsentIssue, EventIssue } from './file-questions.tsx'
import type { PreparedImport } from './prepare-import.ts'
import { SharedValueIssue } from './reading-fields.tsx'
import {
  AmbiguousRows,
  InvalidCells,
  listAmbiguous,
  listRepeated,
  RepeatedRows,
  SimilarPeopleQuestions,
  UnclearMembers,
} from './row-questions.tsx'
import { TicksIssue } from './ticks-issue.tsx'
import {
  listValueQuestions,
  ValueIssue,
  ValuePairs,
  type ValueQuestion,
} from './value-questions.tsx'

type Props = { prepared: PreparedImport; result: TableImportResult | undefined }

/** Renders the open questions about a file, then the given answers, to change them. */
export function Questions({ prepared, result }: Props) {
  const { consents, event, ticks, mapping, inspected, rowAnswers } = prepared
  const values = listValueQuestions(prepared, result?.unlisted ?? [])
  const openValues = values.filter(({ open }) => open > 0)
  const answeredValues = values.filter(({ open }) => open === 0)
  const missingFields = listMissingFields(mapping, inspected)
  const askedColumns = new Set(values.map(({ column }) => column.heading))
  const count =
    consents.length +
    openValues.length +
    missingFields.length +
    (event && !event.mapping ? 1 : 0) +
    (ticks && !ticks.mapping ? 1 : 0) +
    (result ? countRowQuestions({ prepared, result, skip: askedColumns }) : 0)
  return (
    <>
      {count > 0 && (
        <section class="section">
          <h2>
            Needs an answer <small>{formatCount(count, 'question')}</small>
          </h2>
          {event && !event.mapping && <EventIssue prepared={prepared} />}
          {ticks && !ticks.mapping && <TicksIssue prepared={prepared} question={ticks} />}
          {missingFields.map((targetField) => (
            <SharedValueIssue prepared={prepared} targetField={targetField} />
          ))}
          {openValues.map((question) => (
            <ValueIssue prepared={prepared} question={question} />
          ))}
          {consents.map((heading) => (
            <ConsentIssue prepared={prepared} heading={heading} />
          ))}
          {result && (
            <>
              <RepeatedRows prepared={prepared} result={result} />
              <AmbiguousRows prepared={prepared} result={result} />
              <SimilarPeopleQuestions prepared={prepared} result={result} />
              <UnclearMembers prepared={prepared} result={result} />
              <InvalidCells prepared={prepared} result={result} skip={askedColumns} />
              <OtherErrors prepared={prepared} result={result} skip={askedColumns} />
            </>
          )}
        </section>
      )}
      {event?.mapping && (
        <section class="section">
          <h2>Sign-in sheet</h2>
          <EventIssue prepared={prepared} addedMembers={result?.addedMembers} />
        </section>
      )}
      {ticks?.mapping && (
        <section class="section">
          <h2>Sheet of ticks</h2>
          <TicksIssue prepared={prepared} question={ticks} addedMembers={result?.addedMembers} />
        </section>
      )}
      {answeredValues.length > 0 && (
        <AnsweredValues prepared={prepared} questions={answeredValues} />
      )}
      {rowAnswers.count > 0 && (
        <p class="notice">
          {formatCount(rowAnswers.count, 'row')} with your answers.
          <button type="submit" class="link" name="clearAnswers" value="yes">
            Clear these answers
          </button>
        </p>
      )}
    </>
  )
}

const countRowQuestions = (props: RowProps): number => {
  const { similar, unclearMembers } = props.result
  const lists = [listRepeated(props), listAmbiguous(props), similar, unclearMembers].filter(
    (rows) => rows.length > 0,
  )
  return listOtherErrors(props).length + lists.length
}

type RowProps = {
  prepared: PreparedImport
  result: TableImportResult
  /** The headings of columns with questions about their values. */
  skip: ReadonlySet<string>
}

/** Lists the errors that the questions do not cover. */
const listOtherErrors = ({ result: { errors, repeated }, skip }: RowProps) =>
  errors.filter(
    ({ column, message, code }) =>
      !skip.has(column) &&
      !(code === 'duplicate' && repeated.length > 0) &&
      message !== ambiguousReason &&
      message !== undecidedPersonReason &&
      message !== duplicateRecordReason,
  )

/** Renders the errors that no input on the page can correct. */
function OtherErrors(props: RowProps) {
  const { headings } = props.prepared.inspected.table
  const { invalidCells } = props.result
  const others = listOtherErrors(props).filter(
    ({ column, message }) =>
      !(
        headings.includes(column) &&
        invalidCells.some((cell) => cell.column === column && cell.message === message)
      ),
  )
  return <MessageList groups={others} />
}

function AnsweredValues({
  prepared,
  questions,
}: {
  prepared: PreparedImport
  questions: readonly ValueQuestion[]
}) {
  return (
    <section class="section">
      <h2>Values</h2>
      {questions.map((question) => (
        <details class="fold">
          <summary>
            {question.column.heading}: {formatCount(question.column.values.length, 'value')} with
            your choice
          </summary>
          <ValuePairs prepared={prepared} question={question} />
        </details>
      ))}
    </section>
  )
}
