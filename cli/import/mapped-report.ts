import type { Proposal, ProposedColumn } from '../../src/import/mapping/propose-mapping.ts'
import type { TableImportResult } from '../../src/import/report/import-result.ts'
import type { MessageGroup } from '../../src/import/report/message-groups.ts'
import { describeFormat } from '../../src/import/rows/table.ts'
import { eventQuestion } from '../../src/import/targets/require-parent.ts'
import { formatCount } from '../../src/platform/pluralise.ts'
import type { MappedFileResult } from './import-mapped-file.ts'

/** Formats the result of an inferred file, with examples of its values. */
export function formatMappedResult(
  result: MappedFileResult,
  rejectedPath: string | undefined,
): string[] {
  const { proposal, because, mapping, outcome, written, collection } = result
  return [
    ...(proposal ? proposalLines(result.file, proposal, because) : []),
    ...schemaLines(result),
    mapping.isOld
      ? `Read by ${mapping.file}. Remove it to infer the mapping again.`
      : `The mapping is in ${mapping.file}, for the next file of this kind. You can edit it.`,
    ...leftOutLines(outcome, mapping.file),
    ...groupLines('To know:', outcome.warnings),
    ...groupLines('Not in order:', outcome.errors),
    '',
    ...resultLines(outcome, collection, written),
    ...similarLines(outcome, collection),
    ...adviceLines(outcome, written, rejectedPath),
  ]
}

function proposalLines(file: string, proposal: Proposal, because: string | undefined): string[] {
  const { rows, mapping, format, system, headingLine, columns, decisions, missing } = proposal
  const systemNote = system ? `, as ${system} exports it` : ''
  const headingNote = headingLine > 1 ? ` The headings are in line ${headingLine}.` : ''
  const reasonNote = because ? ` It is taken for ${mapping.collection} because ${because}.` : ''
  return [
    `${file}: ${formatCount(rows, 'row')} of ${mapping.collection}, ${describeFormat(format)}${systemNote}.${headingNote}${reasonNote}`,
    ...decisions,
    ...missing.map(missingLine),
    '',
    ...columns.map((column) => columnLine(column)),
    '',
  ]
}

function missingLine({ path, options, reference }: Proposal['missing'][number]): string {
  if (reference?.to === 'events') {
    return `${eventQuestion} No column says it: name the event by --event and its id.`
  }
  const valueNote = options ? ` one of ${options.map(({ value }) => value).join(', ')}` : ' a value'
  return `No column gives "${path}", which every record must have: put${valueNote} for it under "same" in the mapping.`
}

function columnLine({ heading, fields, filled, as, proposed, decisions }: ProposedColumn): string {
  const type = fields.length > 0 && proposed ? ` (${proposed.type})` : as ? ` (${as})` : ''
  const suggestion =
    proposed && fields.length === 0 ? `: it could be a field (${proposed.type})` : ''
  const destination =
    fields.length > 0
      ? `→ ${fields.join(' and ')}${type}`
      : filled === 0
        ? 'is empty'
        : `is left out${suggestion}`
  return [
    '  ',
    JSON.stringify(heading),
    ' ',
    destination,
    ...decisions.map((decision) => `. ${decision}`),
  ]
    .join('')
    .replaceAll('..', '.')
}

function schemaLines({ collection, addedFields, hadSchema, written, proposal }: MappedFileResult) {
  if (addedFields > 0 && !hadSchema) {
    const verb = written ? 'is kept' : 'would be kept'
    return [
      `There was no schema of ${collection}: one of ${formatCount(addedFields, 'field')} is made from this file, and ${verb}.`,
    ]
  }
  if (addedFields > 0) {
    const verb = written ? 'were added' : 'would be added'
    return [`${formatCount(addedFields, 'field')} ${verb} to the schema of ${collection}.`]
  }
  const unmapped = proposal?.columns.filter(({ fields, filled, proposed }) =>
    Boolean(proposed && filled > 0 && fields.length === 0),
  )
  return unmapped && unmapped.length > 0
    ? [
        `${formatCount(unmapped.length, 'column')} without a field: --add-fields adds fields to the schema for them.`,
      ]
    : []
}

function leftOutLines({ leftOut }: TableImportResult, mapping: string): string[] {
  if (leftOut.length === 0) return []
  const headingList = leftOut.map((heading) => JSON.stringify(heading)).join(', ')
  return [`Left out, as ${mapping} does not name them: ${headingList}.`]
}

function groupLines(title: string, groups: readonly MessageGroup[]): string[] {
  if (groups.length === 0) return []
  return [
    '',
    title,
    ...groups.map(({ column, message, count, examples }) => {
      const exampleTexts = examples.map(({ line, value }) =>
        value === '' ? `line ${line}` : `line ${line} ${JSON.stringify(value)}`,
      )
      const more = count > examples.length ? ', …' : ''
      const columnName = column ? `${JSON.stringify(column)} ` : ''
      return `  ${count.toLocaleString('en-GB')} × ${columnName}${message} ${exampleTexts.join(', ')}${more}`
    }),
  ]
}

function resultLines(result: TableImportResult, collection: string, written: boolean): string[] {
  const { created, updated, unchanged, rejected, changes } = result
  const counts = [
    [created, 'new'],
    [updated, 'changed'],
    [unchanged, 'unchanged'],
    [rejected, 'rejected'],
  ] as const
  const countTexts = counts
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count.toLocaleString('en-GB')} ${label}`)
  const fields = changes
    .slice(0, 20)
    .map(({ field, records }) => `${field} (${records.toLocaleString('en-GB')})`)
  return [
    `${written ? 'Imported' : 'Not imported'}: ${countTexts.join(', ')} ${collection}.`,
    ...(written ? [] : changedLines(result)),
    ...(fields.length > 0 ? [`What changes: ${fields.join(', ')}.`] : []),
  ]
}

/** Says how many new people may be known already, and where somebody can compare them. */
function similarLines({ similar }: TableImportResult, collection: string): string[] {
  if (similar.length === 0) return []
  return [
    `${formatCount(similar.length, 'new person', 'new people')} may be known already, by email address, telephone number, or name and birth date. After the import, the list of ${collection} on the dashboard has “Likely duplicates”, to compare and merge them.`,
  ]
}

const maxChanged = 20

/** Formats the records that would change, with old and new values. */
function changedLines({ changed, updated }: TableImportResult): string[] {
  if (changed.length === 0) return []
  const recordLines = changed.slice(0, maxChanged).map(({ id, name, line, fields }) => {
    const values = fields.map(
      ({ field, before, after }) => `${field} ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    )
    return `  ${[id, name].filter(Boolean).join(' ')} (line ${line}): ${values.join(', ')}`
  })
  const more = updated - recordLines.length
  return ['Records that would change:', ...recordLines, ...(more > 0 ? [`  and ${more} more`] : [])]
}

function adviceLines(
  { rejected, records }: TableImportResult,
  written: boolean,
  rejectedPath: string | undefined,
): string[] {
  if (rejected === 0) return []
  if (written) {
    return [
      `The rejected rows are in ${rejectedPath}, with the reasons: correct them there, and import that file with the same mapping.`,
    ]
  }
  return records > 0
    ? [
        `Correct the file, or import the other ${records.toLocaleString('en-GB')} rows now and write these rows to another file: --rejected rest.csv`,
      ]
    : ['No row is valid: check the mapping.']
}
