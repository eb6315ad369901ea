import { whichEvent } from '../../src/import/tabular/booking-event.ts'
import { described } from '../../src/import/tabular/described.ts'
import type { Proposal, ProposedColumn } from '../../src/import/tabular/propose.ts'
import { counted } from '../../src/import/tabular/reading.ts'
import type { SaidGroup, TableOutcome } from '../../src/import/tabular/table-outcome.ts'
import type { InferredFile } from './infer-files.ts'

/** What came of a file that was imported as it came, for whoever holds the file: with examples of its values. */
export function inferredLines(done: InferredFile, rest: string | undefined): string[] {
  const { proposal, because, mapping, outcome, written, collection } = done
  return [
    ...(proposal ? proposalLines(done.file, proposal, because) : []),
    ...schemaLines(done),
    mapping.isOld
      ? `Read by ${mapping.file}. Remove it to have the file looked at anew.`
      : `How it was read is kept in ${mapping.file}, for the next file of this kind: you can edit it.`,
    ...leftOutLines(outcome, mapping.file),
    ...groupLines('To know:', outcome.sayings),
    ...groupLines('Not in order:', outcome.faults),
    '',
    ...outcomeLines(outcome, collection, written),
    ...adviceLines(outcome, written, rest),
  ]
}

function proposalLines(file: string, proposal: Proposal, because: string | undefined): string[] {
  const { rows, mapping, format, system, headingLine, columns, decisions, missing } = proposal
  const known = system ? `, as ${system} exports it` : ''
  const heads = headingLine > 1 ? ` The headings are in line ${headingLine}.` : ''
  const why = because ? ` It is taken for ${mapping.collection} because ${because}.` : ''
  return [
    `${file}: ${counted(rows, 'row')} of ${mapping.collection}, ${described(format)}${known}.${heads}${why}`,
    ...decisions,
    ...missing.map(missingLine),
    '',
    ...columns.map((column) => columnLine(column)),
    '',
  ]
}

function missingLine({ path, options, reference }: Proposal['missing'][number]): string {
  if (reference?.to === 'events') {
    return `${whichEvent} No column says it: name the event by --event and its id.`
  }
  const which = options ? ` one of ${options.map(({ value }) => value).join(', ')}` : ' a value'
  return `No column gives "${path}", which every record must have: put${which} for it under "same" in the mapping.`
}

function columnLine({ heading, fields, filled, as, proposed, decisions }: ProposedColumn): string {
  const type = fields.length > 0 && proposed ? ` (${proposed.type})` : as ? ` (${as})` : ''
  const could = proposed && fields.length === 0 ? `: it could be a field (${proposed.type})` : ''
  const to =
    fields.length > 0
      ? `→ ${fields.join(' and ')}${type}`
      : filled === 0
        ? 'is empty'
        : `is left out${could}`
  return ['  ', JSON.stringify(heading), ' ', to, ...decisions.map((one) => `. ${one}`)]
    .join('')
    .replaceAll('..', '.')
}

function schemaLines({ collection, addedFields, hadSchema, written, proposal }: InferredFile) {
  if (addedFields > 0 && !hadSchema) {
    const kept = written ? 'is kept' : 'would be kept'
    return [
      `There was no schema of ${collection}: one of ${counted(addedFields, 'field')} is made from this file, and ${kept}.`,
    ]
  }
  if (addedFields > 0) {
    const added = written ? 'were added' : 'would be added'
    return [`${counted(addedFields, 'field')} ${added} to the schema of ${collection}.`]
  }
  const left = proposal?.columns.filter(({ fields, filled, proposed }) =>
    Boolean(proposed && filled > 0 && fields.length === 0),
  )
  return left && left.length > 0
    ? [
        `${counted(left.length, 'column')} without a field: --add-fields adds fields to the schema for them.`,
      ]
    : []
}

function leftOutLines({ leftOut }: TableOutcome, mapping: string): string[] {
  if (leftOut.length === 0) return []
  const named = leftOut.map((heading) => JSON.stringify(heading)).join(', ')
  return [`Left out, as ${mapping} does not name them: ${named}.`]
}

function groupLines(title: string, groups: readonly SaidGroup[]): string[] {
  if (groups.length === 0) return []
  return [
    '',
    title,
    ...groups.map(({ column, reason, count, examples }) => {
      const shown = examples.map(({ line, value }) =>
        value === '' ? `line ${line}` : `line ${line} ${JSON.stringify(value)}`,
      )
      const more = count > examples.length ? ', …' : ''
      const where = column ? `${JSON.stringify(column)} ` : ''
      return `  ${count.toLocaleString('en-GB')} × ${where}${reason} ${shown.join(', ')}${more}`
    }),
  ]
}

function outcomeLines(outcome: TableOutcome, collection: string, written: boolean): string[] {
  const { created, updated, unchanged, faulty, changes } = outcome
  const counts = [
    [created, 'new'],
    [updated, 'changed'],
    [unchanged, 'unchanged'],
    [faulty, 'faulty'],
  ] as const
  const told = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString('en-GB')} ${what}`)
  const fields = changes
    .slice(0, 20)
    .map(({ field, records }) => `${field} (${records.toLocaleString('en-GB')})`)
  return [
    `${written ? 'Imported' : 'Not imported'}: ${told.join(', ')} ${collection}.`,
    ...(written ? [] : changedLines(outcome)),
    ...(fields.length > 0 ? [`What changes: ${fields.join(', ')}.`] : []),
  ]
}

const maxChanged = 20

/** The records that would change, each with its old and new values. */
function changedLines({ changed, updated }: TableOutcome): string[] {
  if (changed.length === 0) return []
  const shown = changed.slice(0, maxChanged).map(({ id, name, line, fields }) => {
    const values = fields.map(
      ({ field, before, after }) => `${field} ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    )
    return `  ${[id, name].filter(Boolean).join(' ')} (line ${line}): ${values.join(', ')}`
  })
  const more = updated - shown.length
  return ['Records that would change:', ...shown, ...(more > 0 ? [`  and ${more} more`] : [])]
}

function adviceLines(
  { faulty, rows }: TableOutcome,
  written: boolean,
  rest: string | undefined,
): string[] {
  if (faulty === 0) return []
  if (written) {
    return [
      `The faulty rows are in ${rest}, with the reasons: correct them there, and import that file with the same mapping.`,
    ]
  }
  const good = rows - faulty
  return good > 0
    ? [
        `Correct the file, or import the other ${good.toLocaleString('en-GB')} rows now and have these in a file of their own: --faults rest.csv`,
      ]
    : ['No row is in order: see whether the mapping is right.']
}
