import type { MessageGroup } from '../../../import/report/message-groups.ts'
import type { ErrorCode } from '../../../model/validation-error.ts'
import { formatCount } from '../../../platform/pluralise.ts'

const correctFile = 'Correct it in the file, or leave the column out.'
const correctEither = 'Correct it in the file or in the record that has it.'

/** Advice for each error code; '' if the message itself explains the correction. */
export const advice: Readonly<Record<ErrorCode, string>> = {
  required: 'Fill in the cell.',
  invalid_type: correctFile,
  invalid_format: correctFile,
  not_allowed: '',
  too_long: correctFile,
  too_short: correctFile,
  too_large: correctFile,
  too_small: correctFile,
  too_many_errors: 'Correct the errors above, then import the file again.',
  unknown_field: correctFile,
  duplicate: 'Keep one of the lines, or choose another id.',
  not_unique: correctEither,
  not_found: '',
  ambiguous: correctEither,
  conflict: '',
  read_only: 'Leave the column out.',
  hidden: 'Leave the column out.',
  unreadable: 'Save the file again, or export it as CSV.',
  extra_cells: 'Put the value in quotation marks, or remove the extra separator.',
  spreadsheet_error: 'Correct the formula in the spreadsheet.',
  lost_digits: '',
  invalid_boolean: 'Write Yes or No, or leave the cells empty.',
  invalid_number: 'Write digits only, or map the column to a text field.',
  other_currency: 'Use one currency for all amounts in the column.',
  invalid_date:
    'Write the dates in this format, leave the cells empty, or map the column to a text field.',
  other_date_order: 'Correct the dates, or choose the other date order.',
  clock_change: '',
}

type MessageListProps = { groups: readonly MessageGroup[] }

/** Renders messages about rows by column, with examples, line numbers and advice. */
export function MessageList({ groups }: MessageListProps) {
  return (
    <>
      {groups.map(({ column, message, code, count, examples }) => (
        <div class="issue">
          <h3>
            {column || 'The row'} {message}{' '}
            <span class="tag warn">{formatCount(count, 'row')}</span>
          </h3>
          <p>
            {examples
              .map(({ line, value }) => (value === '' ? `Row ${line}` : `Row ${line}: “${value}”`))
              .join(', ')}
            {count > examples.length ? ', …' : '.'} {code && advice[code]}
          </p>
        </div>
      ))}
    </>
  )
}
