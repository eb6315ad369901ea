import { Unreadable } from '../../import/read.ts'
import { asksEvent, eventNamed, whichEvent, withEvent } from '../../import/tabular/booking-event.ts'
import { destinationOf } from '../../import/tabular/destination.ts'
import { importTable } from '../../import/tabular/import-table.ts'
import { mappingToKeep } from '../../import/tabular/kind-of-file.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import type { Inspected } from '../../import/tabular/prepare.ts'
import { rulesOf } from '../../import/tabular/prepare.ts'
import { RestWriter } from '../../import/tabular/rest.ts'
import type { TableOutcome } from '../../import/tabular/table-outcome.ts'
import { ApiError } from '../../model/api-error.ts'
import type { Fault } from '../../model/checked.ts'
import { may } from '../may.ts'
import type { Answer } from './answer.ts'
import { chosenIn, type Faults } from './choices.ts'
import { DonePage } from './done-page.tsx'
import { eventsOffered } from './events-offered.ts'
import type { Form } from './form.ts'
import { maxColumns } from './goals.ts'
import { type Opened, surveyOf } from './opened.ts'
import { OutcomePage } from './outcome-page.tsx'
import { WhatPage } from './what-page.tsx'
import { WherePage } from './where-page.tsx'

/** What the file is taken for. Coming back from where its columns go, what was chosen there stays. */
export async function what(opened: Opened, fault?: string): Promise<Answer> {
  const { c, form, table, isKept, forms } = opened
  const found = opened.collection === undefined ? undefined : await surveyed(opened)
  const inspected = found && 'survey' in found ? found : undefined
  const before = inspected && (opened.mapping ?? inspected.proposal.mapping)
  const mapping =
    inspected && before && saysWhere(form)
      ? chosenIn(form, before, inspected).mapping
      : opened.mapping
  const { collection } = opened
  const faults = {
    ...(fault && { collection: fault }),
    ...(found && 'unclear' in found && { form: found.unclear }),
  }
  const props = { c, form, table, inspected, collection, mapping, isKept, forms, faults }
  return {
    page: String(<WhatPage {...props} />),
    status: Object.keys(faults).length > 0 ? 400 : 200,
  }
}

/** What is in the file; or why it cannot be told which form its rows answer, where that can be chosen. */
async function surveyed(opened: Opened): Promise<Inspected | { unclear: string }> {
  try {
    return await surveyOf(opened)
  } catch (error) {
    if (error instanceof Unreadable && opened.forms.length > 0)
      return { unclear: `It ${error.message}` }
    throw error
  }
}

/** Whether a form says where columns go. */
const saysWhere = (form: Form) => form.has('goal.0')

/** Where its columns go; with what is wrong with that. */
export async function where(opened: Opened, inspected?: Inspected, wrong?: Wrong): Promise<Answer> {
  const { c, form } = opened
  const all = inspected ?? (await surveyOf(opened))
  const { headings } = all.table
  if (headings.length > maxColumns || headings.length * all.places.length > mostChoices) {
    const reason = `The file has ${headings.length} columns for ${all.places.length} fields, which is more than this page can show: import it on the command line.`
    throw new ApiError('PAYLOAD_TOO_LARGE', reason)
  }
  const mapping = wrong?.mapping ?? opened.mapping ?? all.proposal.mapping
  const events = asksEvent(mapping) ? await eventsOffered(c) : []
  const props = { c, form, inspected: all, ...wrong, mapping, events }
  return {
    page: String(<WherePage {...props} />),
    status: wrong ? 400 : 200,
  }
}

const mostChoices = 60_000

type Wrong = { mapping: Mapping; faults?: Faults; fault?: string | undefined }

type Ready = { mapping: Mapping } & Extract<Awaited<ReturnType<typeof rulesOf>>, { rules: object }>

/** How the file is to be read, with the rules for its records; or the page that says what is wrong with that. */
async function prepared(opened: Opened): Promise<{ again: Answer } | Ready> {
  const { c, form, schemas } = opened
  let { mapping } = opened
  let inspected: Inspected | undefined
  if (saysWhere(form) || !mapping) {
    inspected = await surveyOf(opened)
    const before = mapping ?? inspected.proposal.mapping
    const chosen = saysWhere(form)
      ? chosenIn(form, before, inspected)
      : { mapping: before, faults: {} }
    mapping = chosen.mapping
    if (Object.keys(chosen.faults).length > 0) {
      return { again: await where(opened, inspected, chosen) }
    }
  }
  if (asksEvent(mapping)) {
    const ofEvent = await withEvent(destinationIn(opened, mapping), mapping, eventNamed(mapping))
    if (!ofEvent) {
      const faults = { 'same.eventId': `${whichEvent} Choose it.` }
      return { again: await where(opened, inspected, { mapping, faults }) }
    }
    mapping = ofEvent
  }
  const { organisationId } = c.var.store
  const ready = await rulesOf(mapping, organisationId, schemas, async () => opened.forms)
  if ('faults' in ready) {
    return { again: await where(opened, inspected, wrongWith(mapping, ready.faults)) }
  }
  if (ready.schema && !may(c, 'administer')) {
    const fault = 'Fields are added to the schema by administrators: leave these columns out.'
    return { again: await where(opened, inspected, { mapping, fault }) }
  }
  return { mapping, ...ready }
}

/** What is wrong with a mapping, where the page can say it. */
function wrongWith(mapping: Mapping, faults: readonly Fault[]): Wrong {
  const match = faults.find(({ field }) => field === 'match')
  const others = faults.filter((fault) => fault !== match)
  return {
    mapping,
    ...(match && { faults: { match: match.reason } }),
    ...(others.length > 0 && {
      fault: others.map(({ field, reason }) => `${field} ${reason}`).join(' '),
    }),
  }
}

/** What an import would do. */
export async function check(opened: Opened): Promise<Answer> {
  const ready = await prepared(opened)
  if ('again' in ready) return ready.again
  const { mapping } = ready
  const outcome = await imported(opened, ready, { writes: false })
  return outcomeOf(opened, mapping, outcome)
}

function outcomeOf({ c, form }: Opened, mapping: Mapping, outcome: TableOutcome, fault?: string) {
  const added = mapping.fields.length
  return ok(<OutcomePage {...{ c, form, mapping, outcome, added }} {...(fault && { fault })} />)
}

/** Imports the good rows, or all or none. */
export async function keep(opened: Opened, allOrNone: boolean): Promise<Answer> {
  const { c, form, table, kind, schemas } = opened
  const ready = await prepared(opened)
  if ('again' in ready) return ready.again
  const { mapping, schema } = ready
  if (allOrNone) {
    const outcome = await imported(opened, ready, { writes: false })
    const fault = 'Nothing was imported: not every row is in order.'
    if (outcome.faulty > 0) return outcomeOf(opened, mapping, outcome, fault)
  }
  if (schema) await c.var.imports.extendSchema(schema.kind, schema.schema, schemas[schema.kind])
  const writer = new RestWriter(table.headings)
  const rest = { csv: writer.head, more: 0 }
  const outcome = await imported(opened, ready, {
    writes: true,
    faulty(row, reasons, chosen) {
      if (rest.csv.length > mostOfRest) rest.more++
      else rest.csv += writer.row(row, reasons, chosen)
    },
  })
  await c.var.imports.keepMapping(kind, mappingToKeep(mapping))
  return ok(<DonePage {...{ c, form, mapping, outcome, rest }} />)
}

const mostOfRest = 4 << 20

type Doing = Pick<Parameters<typeof importTable>[4], 'writes' | 'faulty'>

const destinationIn = ({ c }: Opened, { collection }: Mapping) =>
  destinationOf({ store: c.var.store, geography: c.var.records.destination.geography }, collection)

function imported(opened: Opened, { rules }: Ready, doing: Doing) {
  const { form, table, name, progress } = opened
  const to = destinationIn(opened, rules.mapping)
  const whole = Number(form.one('rows')) || undefined
  return importTable(name, table, rules, to, {
    ...doing,
    progress: (rows) => progress(rows, whole),
  })
}

const ok = (page: { toString(): string }): Answer => ({ page: String(page), status: 200 })
