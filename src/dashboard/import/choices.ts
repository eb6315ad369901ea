import type { Order } from '../../import/spellings/dates.ts'
import { asksEvent } from '../../import/tabular/booking-event.ts'
import { uniqueColumns, wholeRow } from '../../import/tabular/choose-id.ts'
import { inferType } from '../../import/tabular/infer-type.ts'
import { Mapping } from '../../import/tabular/mapping.ts'
import { fieldOf } from '../../import/tabular/new-fields.ts'
import { type Inspected, withWishes } from '../../import/tabular/prepare.ts'
import { missingAmong } from '../../import/tabular/propose.ts'
import { cellReader } from '../../import/tabular/read-cell.ts'
import { type Goal, goalOf, remapped } from '../../import/tabular/remap.ts'
import type { Field } from '../../model/schema.ts'
import { isTimeZone, TimeZone } from '../../platform/time-zone.ts'
import type { Form } from './form.ts'
import { canDescribeFields, fieldSaid, goalIn, goalValue, newField } from './goals.ts'

/** What is wrong with what was chosen, by the field of the form. */
export type Faults = Readonly<Record<string, string>>

/** The mapping with what was chosen of where each column goes, and what is wrong with that; what is wrong stays as it was. */
export function chosenIn(
  form: Form,
  before: Mapping,
  inspected: Inspected,
): { mapping: Mapping; faults: Faults } {
  const { places, table } = inspected
  const faults: Record<string, string> = {}
  const order = orders.find((one) => one === form.one('order'))
  const goals = new Map<string, Goal>()
  for (const [at, heading] of table.headings.entries()) {
    const value = form.one(`goal.${at}`)
    const was = goalOf(before, heading, places)
    if (value === newField) {
      const proposed = proposedField(before, heading, inspected)
      const said = canDescribeFields(table.headings.length)
        ? fieldSaid(proposed, {
            label: form.one(`label.${at}`),
            type: form.one(`type.${at}`),
            options: form.one(`options.${at}`),
          })
        : { field: proposed }
      if ('fault' in said) faults[`goal.${at}`] = `The new field ${said.fault}`
      else goals.set(heading, said)
    } else if (value !== '' && value !== goalValue(was)) {
      const goal = goalIn(value, places)
      if (goal === undefined) faults[`goal.${at}`] = 'There is no such field.'
      else goals.set(heading, goal)
    }
  }
  const id = idIn(form.one('id'), table.headings)
  if (!id) faults.id = 'must be one of those offered.'
  const timeZone = form.one('timeZone').trim()
  const isZone = isTimeZone(timeZone)
  if (!isZone) faults.timeZone = 'must be the name of a time zone, such as Europe/London.'
  const mapping = withWishes(remapped(before, inspected, goals, order), {
    ...(order && { order }),
    ...(isZone && { timeZone }),
    match: [...form.all('match')],
  })
  const { same, faults: unsaid } = sameIn(form, mapping, inspected)
  const eventId = asksEvent(mapping) && form.one('same.eventId')
  return {
    mapping: {
      ...mapping,
      same: { ...same, ...(eventId && { eventId }) },
      ...(id && idMapped(mapping, id, inspected)),
    },
    faults: { ...faults, ...unsaid },
  }
}

const orders: readonly Order[] = ['day-first', 'month-first']

/** The field that a column could be, with what a form can say of it. */
export function proposedField(
  mapping: Mapping,
  heading: string,
  { places, survey, proposal, table }: Inspected,
): Field {
  const goal = goalOf(mapping, heading, places)
  if (typeof goal === 'object' && 'field' in goal) return goal.field
  const proposed = proposal.columns.find((column) => column.heading === heading)?.proposed
  if (proposed) return proposed
  const facts = survey.columns.get(heading)
  // A heading of its own is taken by nobody else.
  const taken = [...places.map(({ path }) => path), ...mapping.fields.map(({ id }) => id)]
  const others = table.headings.filter((one) => one !== heading)
  const inferred = facts ? inferType(heading, facts) : { type: 'text' as const, decisions: [] }
  return fieldOf(heading, inferred, [...taken, ...others])
}

/** What a record's id may be: a column that holds it, or columns that it is made of. */
export function idsOffered(
  mapping: Mapping,
  { survey, table, proposal }: Inspected,
): Mapping['id'][] {
  const all = [
    mapping.id,
    proposal.mapping.id,
    ...uniqueColumns(table.headings, survey).map((column) => ({
      columns: [column],
      isMade: false,
    })),
    ...survey.keys.map((columns) => ({ columns: [...columns], isMade: true })),
    wholeRow(table.headings, survey),
  ]
  return [...new Map(all.map((id) => [JSON.stringify(id), id])).values()]
}

function idIn(text: string, headings: readonly string[]): Mapping['id'] | undefined {
  try {
    const { success, data } = Mapping.shape.id.safeParse(JSON.parse(text))
    return success && data.columns.every((heading) => headings.includes(heading)) ? data : undefined
  } catch {
    return undefined
  }
}

/** The id, and the columns as they are with it. */
function idMapped({ columns }: Mapping, id: Mapping['id'], { places }: Inspected) {
  const path = places.find(({ isId }) => isId)?.path
  const others = columns.filter(({ field }) => field !== path)
  const own = path !== undefined && !id.isMade ? id.columns : []
  const held = own.map((heading) => ({ heading, field: path ?? null, as: 'text' as const }))
  return { id, columns: [...others, ...held] }
}

/** What no column gives, every record must have, and a form can ask for. The page asks for the event of bookings separately. */
export const askedOfAll = (mapping: Mapping, { places }: Inspected) =>
  missingAmong(places, mapping.columns).filter(
    ({ as, path }) => as !== 'json' && as !== 'list' && !(asksEvent(mapping) && path === 'eventId'),
  )

/** What is the same in every record. */
function sameIn(form: Form, mapping: Mapping, inspected: Inspected) {
  const same = new Map<string, Mapping['same'][string]>()
  const faults: Record<string, string> = {}
  const zone = new TimeZone(mapping.timeZone)
  for (const place of askedOfAll(mapping, inspected)) {
    const { path, as } = place
    const text = form.one(`same.${path}`).trim()
    const column = { heading: path, field: path, as: as === 'link' ? ('text' as const) : as }
    const read = cellReader(column, place, zone)(text)
    if ('fault' in read) faults[`same.${path}`] = `It ${read.fault}`
    else {
      const { success, data } = Mapping.shape.same.unwrap().valueType.safeParse(read.value)
      if (success) same.set(path, data)
      else faults[`same.${path}`] = 'No column gives it, and every record must have it.'
    }
  }
  return { same: Object.fromEntries(same), faults }
}
