import { createCellParser } from '../../../import/candidates/parse-cell.ts'
import {
  type ColumnTarget,
  changeMapping,
  currentTarget,
} from '../../../import/mapping/change-mapping.ts'
import { uniqueColumns, wholeRowId } from '../../../import/mapping/choose-id.ts'
import { inferType } from '../../../import/mapping/infer-type.ts'
import { applyMappingOptions, type Inspection } from '../../../import/mapping/inspect-file.ts'
import { Mapping, needsEvent } from '../../../import/mapping/mapping.ts'
import { createField } from '../../../import/mapping/new-fields.ts'
import { findMissingFields } from '../../../import/mapping/propose-mapping.ts'
import type { DateOrder } from '../../../import/parse/dates.ts'
import { recordHeadings } from '../../../import/rows/tick-sheet.ts'
import type { Field } from '../../../model/properties/schema.ts'
import { isTimeZone, TimeZone } from '../../../platform/time-zone.ts'
import type { ImportForm } from '../steps/import-form.ts'
import { applyValues } from './apply-values.ts'
import {
  canDescribeFields,
  formatTarget,
  leftOutByChoice,
  newField,
  parseNewField,
  parseTarget,
} from './column-targets.ts'
import { applyTicks } from './ticks-question.ts'

/** Applies the form's choices to the mapping. An invalid choice adds an error and changes nothing. */
export function applyChoices(
  form: ImportForm,
  previous: Mapping,
  inspected: Inspection,
): { mapping: Mapping; errors: Readonly<Record<string, string>> } {
  const { targetFields, table } = inspected
  const errors: Record<string, string> = {}
  const order = dateOrders.find((candidate) => candidate === form.get('order'))
  const targets = new Map<string, ColumnTarget>()
  const leftOut = new Set<string>()
  for (const [index, heading] of table.headings.entries()) {
    const value = form.get(`target.${index}`)
    const previousTarget = currentTarget(previous, heading, targetFields)
    if (value === newField) {
      const proposedField = proposeField(previous, heading, inspected)
      const result = canDescribeFields(table.headings.length)
        ? parseNewField(proposedField, {
            label: form.get(`label.${index}`),
            type: form.get(`type.${index}`),
            options: form.get(`options.${index}`),
          })
        : { field: proposedField }
      if ('error' in result) errors[`target.${index}`] = `The new field ${result.error}`
      else targets.set(heading, result)
    } else if (value === leftOutByChoice) {
      targets.set(heading, 'nowhere')
      leftOut.add(heading)
    } else if (value !== '' && value !== formatTarget(previousTarget)) {
      const target = parseTarget(value, targetFields)
      if (target === undefined) errors[`target.${index}`] = 'This field does not exist.'
      else targets.set(heading, target)
    }
  }
  const id = parseId(form.get('id'), table.headings)
  if (!id) errors.id = 'must be one of the options.'
  const timeZone = form.get('timeZone').trim()
  const isValidTimeZone = isTimeZone(timeZone)
  if (!isValidTimeZone) errors.timeZone = 'must be the name of a time zone, such as Europe/London.'
  const changed = markLeftOut(changeMapping(previous, inspected, targets, order), leftOut)
  const mapping = applyMappingOptions(applyValues(form, changed, inspected), {
    ...(order && { order }),
    ...(isValidTimeZone && { timeZone }),
    match: [...form.getAll('match')],
  })
  const { same, errors: sharedErrors } = parseSharedValues(form, mapping, inspected)
  const eventId = needsEvent(mapping) && form.get('shared.eventId')
  return {
    mapping: {
      ...mapping,
      ...(form.has('sheet.choices') && {
        marksAttendance: form.getAll('sheet.choices').includes('marks'),
        addsMembers: form.getAll('sheet.choices').includes('members'),
      }),
      same: { ...same, ...(eventId && { eventId }) },
      ...(mapping.ticks && { ticks: applyTicks(form, mapping.ticks) }),
      ...(id && mapId(mapping, id, inspected)),
    },
    errors: { ...errors, ...sharedErrors },
  }
}

/** Marks the columns that a person decided to leave out, and only these. */
const markLeftOut = (mapping: Mapping, leftOut: ReadonlySet<string>): Mapping => ({
  ...mapping,
  columns: mapping.columns.map(({ isLeftOut, ...column }) => ({
    ...column,
    ...(column.field === null && (isLeftOut || leftOut.has(column.heading)) && { isLeftOut: true }),
  })),
})

const dateOrders: readonly DateOrder[] = ['day-first', 'month-first']

/** Proposes a new field for a column. */
export function proposeField(
  mapping: Mapping,
  heading: string,
  { targetFields, tableFacts, proposal, table }: Inspection,
): Field {
  const target = currentTarget(mapping, heading, targetFields)
  if (typeof target === 'object' && 'field' in target) return target.field
  const proposed = proposal.columns.find((column) => column.heading === heading)?.proposed
  if (proposed) return proposed
  const facts = tableFacts.columns.get(heading)
  // The new id must differ from existing ids and the other headings.
  const existingIds = [
    ...targetFields.map(({ path }) => path),
    ...mapping.fields.map(({ id }) => id),
  ]
  const otherHeadings = table.headings.filter((another) => another !== heading)
  const inferred = facts ? inferType(heading, facts) : { type: 'text' as const, decisions: [] }
  return createField(heading, inferred, [...existingIds, ...otherHeadings])
}

/** Lists the possible record ids: columns that hold one, or columns to derive it from. */
export function listIdOptions(
  mapping: Mapping,
  { tableFacts, table, proposal }: Inspection,
): Mapping['id'][] {
  const headings = recordHeadings(table)
  const options = [
    mapping.id,
    proposal.mapping.id,
    ...uniqueColumns(headings, tableFacts).map((column) => ({
      columns: [column],
      isMade: false,
    })),
    ...tableFacts.keys.map((columns) => ({ columns: [...columns], isMade: true })),
    wholeRowId(headings, tableFacts),
  ]
  return [...new Map(options.map((id) => [JSON.stringify(id), id])).values()]
}

function parseId(text: string, headings: readonly string[]): Mapping['id'] | undefined {
  try {
    const { success, data } = Mapping.shape.id.safeParse(JSON.parse(text))
    return success && data.columns.every((heading) => headings.includes(heading)) ? data : undefined
  } catch {
    return undefined
  }
}

/** The record id and the columns, with its own column mapped to the id field. */
function mapId({ columns }: Mapping, id: Mapping['id'], { targetFields }: Inspection) {
  const path = targetFields.find(({ isId }) => isId)?.path
  const otherColumns = columns.filter(({ field }) => field !== path)
  const idColumns = path !== undefined && !id.isMade ? id.columns : []
  const mappedColumns = idColumns.map((heading) => ({
    heading,
    field: path ?? null,
    as: 'text' as const,
  }))
  return { id, columns: [...otherColumns, ...mappedColumns] }
}

/** Lists the required fields without a column that the form can ask for. The page has a separate field for a booking's event. */
export const listMissingFields = (mapping: Mapping, { targetFields }: Inspection) =>
  findMissingFields(targetFields, mapping.columns).filter(
    ({ as, path }) =>
      as !== 'json' && as !== 'list' && !(needsEvent(mapping) && path === 'eventId'),
  )

/** Parses the values shared by all records. */
function parseSharedValues(form: ImportForm, mapping: Mapping, inspected: Inspection) {
  const same = new Map<string, Mapping['same'][string]>()
  const errors: Record<string, string> = {}
  const zone = new TimeZone(mapping.timeZone)
  for (const targetField of listMissingFields(mapping, inspected)) {
    const { path, as } = targetField
    const text = form.get(`shared.${path}`).trim()
    const column = { heading: path, field: path, as: as === 'link' ? ('text' as const) : as }
    const result = createCellParser(column, targetField, zone)(text)
    if ('code' in result) errors[`shared.${path}`] = `It ${result.message}`
    else {
      const { success, data } = Mapping.shape.same.unwrap().valueType.safeParse(result.value)
      if (success) same.set(path, data)
      else errors[`shared.${path}`] = 'Every record needs a value, and no column has one.'
    }
  }
  return { same: Object.fromEntries(same), errors }
}
