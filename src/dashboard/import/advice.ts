/** What to do about errors, by what is said of them. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^has more cells/, 'Put the value in quotation marks, or take out what separates it.'],
  [/: |export the column again|correct it/, ''],
  [
    /^is not a date/,
    'Write the dates so, or leave the cells empty; or read the column as text by sending it to another field.',
  ],
  [/^is no date when/, 'Correct the dates, or say that they are in the other order.'],
  [/^is not a number/, 'Write digits only, or send the column to a field for text.'],
  [/^is not in /, 'Give all amounts of the column in one currency.'],
  [/^must be yes or no/, 'Write Yes or No, or leave the cells empty.'],
  [/error of the spreadsheet/, 'Correct the formula in the spreadsheet.'],
  [/earlier line/, 'Keep one of the lines, or choose another id.'],
  [/another record|several people/, 'Correct it here or in the record that has it.'],
  [/^has no event/, 'Fill in the cell with the event of the row.'],
  [/^is the id of none/, 'Write the id of a record there, or new.'],
  [/needs an id/, 'Fill in the cell, or choose another id.'],
]

/** What to do about a fault; '' where it says so itself. */
export const findAdvice = (message: string): string =>
  advice.find(([pattern]) => pattern.test(message))?.[1] ??
  'Correct it in the file, or leave the column out.'
