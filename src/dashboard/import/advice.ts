/** Advice by a pattern of the error message; '' for messages that give it themselves. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^has more cells/, 'Put the value in quotation marks, or remove the extra separator.'],
  [/: |export the column again|correct it/, ''],
  [
    /^is not a date/,
    'Write the dates in this format, leave the cells empty, or map the column to a text field.',
  ],
  [/^is no date when/, 'Correct the dates, or choose the other date order.'],
  [/^is not a number/, 'Write digits only, or map the column to a text field.'],
  [/^is not in /, 'Use one currency for all amounts in the column.'],
  [/^must be yes or no/, 'Write Yes or No, or leave the cells empty.'],
  [/error of the spreadsheet/, 'Correct the formula in the spreadsheet.'],
  [/earlier line/, 'Keep one of the lines, or choose another id.'],
  [/another record|several people/, 'Correct it in the file or in the record that has it.'],
  [/^has no event/, 'Add the event to the cell.'],
  [/^is the id of none/, 'Write the id of an existing record, or new.'],
  [/needs an id/, 'Fill in the cell, or choose another id.'],
]

/** Returns advice on an error, or '' if its message is enough. */
export const findAdvice = (message: string): string =>
  advice.find(([pattern]) => pattern.test(message))?.[1] ??
  'Correct it in the file, or leave the column out.'
