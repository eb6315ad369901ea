import type { Field } from '../../model/schema.ts'
import type { Order } from '../spellings/dates.ts'
import type { Format, Table } from '../tables/table.ts'
import type { AskedForm } from './asked-forms.ts'
import { type Assigned, assigned } from './assign.ts'
import { plain, systemOf } from './called.ts'
import { chosenId, countersAmong } from './choose-id.ts'
import type { Example } from './column-facts.ts'
import { inferType, readAs } from './infer-type.ts'
import type { As, MappedColumn, Mapping } from './mapping.ts'
import { fieldOf, fullNameOf } from './new-fields.ts'
import type { Place } from './places.ts'
import { orderOf, type Reading, readingOf } from './reading.ts'
import { respondents } from './respondents.ts'
import type { Survey } from './survey.ts'
import { tellsApart } from './tells-apart.ts'

/** What is decided by whoever imports, and not by the file. */
export type Wishes = {
  order?: Order
  timeZone?: string
  match?: string[]
  id?: string
  /** The form that answers are of, by its id or name. */
  form?: string
  /** Whether fields that the schema lacks are to be added to it. */
  addFields?: boolean
}

/** A column of the file: where it goes, how it is read, and why. */
export type ProposedColumn = {
  heading: string
  fields: string[]
  as?: As
  filled: number
  examples: Example[]
  decisions: string[]
  /** The field that the schema could have for it. */
  proposed?: Field
}

/** What a file is taken for, before anything of it is written. */
export type Proposal = {
  format: Format
  system?: string
  rows: number
  headingLine: number
  columns: ProposedColumn[]
  decisions: string[]
  /** What every record must have and no column gives. */
  missing: Place[]
  mapping: Mapping
}

/** The collection a proposal is for: where columns can go, and whether people of it may have new fields. */
export type Into = {
  collection: string
  places: readonly Place[]
  isOfPeople: boolean
  hasSchema: boolean
  /** The form that the rows answer. */
  form?: AskedForm | undefined
}

/** Proposes how a table becomes records, from the whole of it. */
export function proposed(table: Table, survey: Survey, into: Into, wishes: Wishes): Proposal {
  const { headings, format } = table
  const facts = (heading: string) => survey.columns.get(heading)
  const idPath = into.places.find(({ isId }) => isId)?.path ?? ''
  const found = [
    ...assigned(into.collection, headings, into.places),
    ...respondents(into, headings, survey, wishes.match),
  ]
  const idOf = found.find(({ place }) => place.isId)?.heading
  const areAnswers = into.form !== undefined
  const chosen = chosenId(headings, survey, idOf, {
    said: wishes.id,
    areAnswers,
    arePeople: into.isOfPeople,
    tells: tellsApart(into.collection, found),
    isPerEvent:
      into.collection === 'bookings' && !found.some(({ place }) => place.path === 'eventId'),
  })
  const order = { said: wishes.order, elsewhere: orderOfFile(survey) }
  const addsFields = into.isOfPeople && (wishes.addFields === true || !into.hasSchema)
  const fields: Field[] = []
  const mapped: MappedColumn[] = []
  const counters = countersAmong(headings)

  const columns = headings.map((heading): Omit<ProposedColumn, 'fields'> => {
    const own = facts(heading)
    const column = { heading, filled: own?.filled ?? 0, examples: own?.examples ?? [] }
    if (!own) return { ...column, decisions: [] }
    const isId = !chosen.id.isMade && chosen.id.columns.includes(heading)
    const placed = found.filter((one) => one.heading === heading && !one.place.isId)
    if (isId) mapped.push({ heading, field: idPath, as: 'text' })
    const readings = placed.map((one) => ({ one, reading: readingOf(one.as, own, order) }))
    for (const { one, reading } of readings) mapped.push(mappedAs(one, reading))
    if (counters.includes(heading)) {
      mapped.push({ heading, field: null, as: 'text' })
      const decisions = ['It is about this file and not about a record, and is left out.']
      return { ...column, decisions }
    }
    const isNeeded = placed.length > 0 || (isId && !isNumber(heading)) || own.filled === 0
    if (isNeeded || !into.isOfPeople) {
      const isLeftOut = placed.length === 0 && !isId && own.filled > 0
      if (isLeftOut) mapped.push({ heading, field: null, as: 'text' })
      return {
        ...column,
        ...(readings[0] && { as: readings[0].reading.as }),
        decisions: unique(readings.flatMap(({ reading }) => reading.decisions)),
      }
    }
    const inferred = inferType(heading, own)
    const field = fieldOf(heading, inferred, [
      ...into.places.map(({ path }) => path),
      ...fields.map(({ id }) => id),
    ])
    const reading = readingOf(readAs(inferred), own, order)
    if (addsFields) fields.push(field)
    mapped.push({ heading, field: addsFields ? field.id : null, ...bare(reading) })
    return {
      ...column,
      as: reading.as,
      decisions: [...inferred.decisions, ...reading.decisions],
      proposed: field,
    }
  })
  if (addsFields) mapped.push(...fullNameOf(headings, into.places, fields))
  const system = systemOf(headings)
  return {
    format,
    ...(system && { system }),
    rows: survey.rows,
    headingLine: table.headingLine,
    columns: columns.map((column) => ({ ...column, fields: fieldsOf(column.heading, mapped) })),
    decisions: chosen.decisions,
    missing: missingAmong(into.places, mapped).filter(
      ({ path }) => !(into.form && path === 'surveyId'),
    ),
    mapping: {
      collection: into.collection,
      ...(format.kind === 'xlsx' && { sheet: format.sheet }),
      timeZone: wishes.timeZone ?? 'Europe/London',
      id: chosen.id,
      match: areAnswers ? [] : (wishes.match ?? []),
      same: into.form ? { surveyId: into.form.formId } : {},
      columns: mapped,
      fields: fields.map(({ order: _, ...field }) => field),
    },
  }
}

/** Which order the dates of the file are in that leave no choice; undefined where its columns do not agree. */
function orderOfFile(survey: Survey): Order | undefined {
  const orders = new Set(
    [...survey.columns.values()]
      .filter(({ dates, filled }) => dates >= filled * 0.9)
      .flatMap((facts) => orderOf(facts) ?? []),
  )
  return orders.size === 1 ? [...orders][0] : undefined
}

const bare = ({ decisions: _, ...reading }: Reading): Omit<Reading, 'decisions'> => reading

const mappedAs = ({ heading, place, by }: Assigned, reading: Reading): MappedColumn => ({
  heading,
  field: place.path,
  ...bare(reading),
  ...(by && { by }),
})

/** Whether a column of ids is also something that people know, such as a membership number. */
const isNumber = (heading: string) => /(?:number|no|ref|reference|code)$/.test(plain(heading))

/** The places that every record must fill, and none of these columns does. */
export const missingAmong = (places: readonly Place[], columns: readonly MappedColumn[]) =>
  places.filter(
    ({ isRequired, isId, path }) =>
      isRequired && !isId && !columns.some(({ field }) => field === path),
  )

/** Where a column goes. */
const fieldsOf = (heading: string, mapped: readonly MappedColumn[]) =>
  mapped.flatMap(({ field, ...column }) =>
    column.heading === heading && field !== null ? [field] : [],
  )

const unique = (texts: readonly string[]) => [...new Set(texts)]
