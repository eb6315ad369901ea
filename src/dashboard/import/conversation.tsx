import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { answerError } from '../../http/errors.ts'
import { Interrupted, Unreadable } from '../../import/read.ts'
import { openTable } from '../../import/tables/open-table.ts'
import type { Table } from '../../import/tables/table.ts'
import { destinationOf } from '../../import/tabular/destination.ts'
import { importTable } from '../../import/tabular/import-table.ts'
import { kindOfFile } from '../../import/tabular/kind-of-file.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import {
  type Inspected,
  inspectTable,
  missingHeadings,
  parsedMapping,
  rulesOf,
  type Schemas,
} from '../../import/tabular/prepare.ts'
import { restColumns, restHead, restRow } from '../../import/tabular/rest.ts'
import type { TableOutcome } from '../../import/tabular/table-outcome.ts'
import { whichCollection } from '../../import/tabular/which-collection.ts'
import { ApiError } from '../../model/api-error.ts'
import type { Fault } from '../../model/checked.ts'
import { collectionNames } from '../../model/collection-names.ts'
import { type Kind, kinds } from '../../model/schema.ts'
import { may } from '../may.ts'
import { type Answer, answered, type Progress } from './answer.ts'
import { bounded } from './bounded.ts'
import { chosenIn, type Faults } from './choices.ts'
import { FilePage } from './file-page.tsx'
import { type Form, formOf } from './form.ts'
import { Acts, Frame } from './frame.tsx'
import { DonePage, OutcomePage } from './outcome-page.tsx'
import { WhatPage } from './what-page.tsx'
import { WherePage } from './where-page.tsx'

type C = Context<DashboardEnv>

/** Asks for a file. */
export const filePage = (c: C) => c.html(<FilePage c={c} />)

/** Takes a step of the conversation, with the file and what was chosen so far, and answers with the next. */
export async function takeStep(c: C): Promise<Response> {
  let form: Form
  try {
    form = await formOf(c.req)
  } catch (error) {
    return answered(c, () => refused(c, error))
  }
  return answered(c, async (progress) => {
    try {
      return await stepOf(c, form, progress)
    } catch (error) {
      return await refused(c, error, form)
    } finally {
      form.letGo()
    }
  })
}

/** What every step finds out of the file before it goes on. */
type Opened = {
  c: C
  form: Form
  table: Table
  name: string
  /** Of which kind the file is, and whether one of its kind was imported before. */
  kind: string
  isKept: boolean
  collection: string | undefined
  because?: string | undefined
  /** How it is read, as far as that was chosen, or as the last of its kind was. */
  mapping: Mapping | undefined
  schemas: Schemas
  progress: Progress
}

async function stepOf(c: C, form: Form, progress: Progress): Promise<Answer> {
  const { step } = form
  if (step === 'file') return ok(<FilePage c={c} form={form} />)
  if (!form.source) {
    const fault = form.has('mapping')
      ? 'Choose the file once more.'
      : 'Choose a file, or paste rows.'
    return { page: String(<FilePage c={c} form={form} fault={fault} />), status: 400 }
  }
  const opened = await open(c, form, progress)
  if (opened.collection === undefined) return what(opened, step !== 'what')
  switch (step) {
    case 'where':
      return where(opened)
    case 'check':
      return check(opened)
    case 'good':
    case 'all':
      return keep(opened, step === 'all')
    default:
      return what(opened)
  }
}

async function open(c: C, form: Form, progress: Progress): Promise<Opened> {
  const source = form.source
  if (!source) throw new ApiError('BAD_REQUEST', 'There is no file.')
  const given = givenIn(form)
  const sheet = form.one('sheet') || given?.sheet
  const table = bounded(await openTable(source, sheet))
  const kind = await kindOfFile(table.headings)
  const fits = (mapping: Mapping | undefined) =>
    mapping && missingHeadings(table, mapping).length === 0 ? mapping : undefined
  const kept = given ? undefined : fits(parsed(await c.var.imports.mapping(kind)))
  const guessed = whichCollection(source.name, table.headings)
  const chosen = collectionNames.find((name) => name === form.one('collection'))
  const known = fits(given) ?? kept
  const mapping = chosen === undefined || chosen === known?.collection ? known : undefined
  const collection = chosen ?? mapping?.collection ?? guessed?.collection
  return {
    ...{ c, form, table, kind, collection, progress },
    name: source.name,
    isKept: kept !== undefined,
    because: collection === guessed?.collection ? guessed?.because : undefined,
    mapping: mapping && withSheet(mapping, table),
    schemas: await schemasOf(c),
  }
}

const withSheet = (mapping: Mapping, { format }: Table): Mapping =>
  format.kind === 'xlsx' ? { ...mapping, sheet: format.sheet } : mapping

function givenIn(form: Form): Mapping | undefined {
  if (!form.has('mapping')) return undefined
  const read = parsedMapping(form.one('mapping'))
  if ('mapping' in read) return read.mapping
  throw new ApiError('BAD_REQUEST', 'The form was not sent whole: begin with the file again.')
}

function parsed(text: string | undefined): Mapping | undefined {
  const read = text === undefined ? undefined : parsedMapping(text)
  return read && 'mapping' in read ? read.mapping : undefined
}

async function schemasOf({ var: { store } }: C): Promise<Schemas> {
  const names = Object.keys(kinds) as Kind[]
  const texts = await Promise.all(names.map((kind) => store.schema(kind)))
  return Object.fromEntries(
    names.flatMap((kind, at) => {
      const text = texts[at]
      return text === undefined ? [] : [[kind, JSON.parse(text)]]
    }),
  )
}

/** What the file is taken for. Coming back from where its columns go, what was chosen there stays. */
async function what(opened: Opened, isUnsaid = false): Promise<Answer> {
  const { c, form, table, isKept } = opened
  const inspected = opened.collection === undefined ? undefined : await surveyOf(opened)
  const before = inspected && (opened.mapping ?? inspected.proposal.mapping)
  const mapping =
    inspected && before && saysWhere(form)
      ? chosenIn(form, before, inspected).mapping
      : opened.mapping
  const fault = isUnsaid ? 'Choose what its rows are.' : undefined
  return {
    page: String(<WhatPage {...{ c, form, table, inspected, mapping, isKept, fault }} />),
    status: isUnsaid ? 400 : 200,
  }
}

async function surveyOf({ table, name, ...opened }: Opened): Promise<Inspected> {
  const { c, collection, schemas, because, progress } = opened
  const organisationId = c.var.store.organisationId
  const wishes = { addFields: may(c, 'administer') && !hasSchema(schemas, collection) }
  const about = { organisationId, schemas, collection, wishes, progress }
  const inspected = await inspectTable(name, table, about)
  return { ...inspected, ...(because !== undefined && { because }) }
}

const hasSchema = (schemas: Schemas, collection = '') => Object.hasOwn(schemas, collection)

/** Whether a form says where columns go. */
const saysWhere = (form: Form) => form.has('goal.0')

async function where(opened: Opened, inspected?: Inspected, wrong?: Wrong): Promise<Answer> {
  const { c, form } = opened
  const all = inspected ?? (await surveyOf(opened))
  const { headings } = all.table
  if (headings.length * all.places.length > mostChoices) {
    const reason = `The file has ${headings.length} columns for ${all.places.length} fields, which is more than this page can show: import it on the command line.`
    throw new ApiError('PAYLOAD_TOO_LARGE', reason)
  }
  const mapping = wrong?.mapping ?? opened.mapping ?? all.proposal.mapping
  return {
    page: String(<WherePage c={c} form={form} inspected={all} {...wrong} mapping={mapping} />),
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
  const { organisationId } = c.var.store
  const ready = await rulesOf(mapping, organisationId, schemas)
  if ('faults' in ready) {
    return { again: await where(opened, inspected, wrongWith(mapping, ready.faults)) }
  }
  if (ready.schema && !may(c, 'administer')) {
    const fault = `${hasSchema(schemas, mapping.collection) ? 'New fields are' : `There is no schema of ${mapping.collection} yet: it is`} added by an administrator. Ask one to import the first file.`
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

async function check(opened: Opened): Promise<Answer> {
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
async function keep(opened: Opened, allOrNone: boolean): Promise<Answer> {
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
  const own = table.headings.filter(
    (heading) => !Object.values<string>(restColumns).includes(heading),
  )
  const rest = { csv: restHead(own), more: 0 }
  const outcome = await imported(opened, ready, {
    writes: true,
    faulty(row, reasons) {
      if (rest.csv.length > mostOfRest) rest.more++
      else rest.csv += restRow(row, reasons, own)
    },
  })
  await c.var.imports.keepMapping(kind, JSON.stringify({ ...mapping, fields: [] }))
  return ok(<DonePage {...{ c, form, mapping, outcome, rest }} />)
}

const mostOfRest = 4 << 20

type Doing = Pick<Parameters<typeof importTable>[4], 'writes' | 'faulty'>

function imported({ c, form, table, name, progress }: Opened, { rules }: Ready, doing: Doing) {
  const to = destinationOf(
    { store: c.var.store, geography: c.var.records.destination.geography },
    rules.mapping.collection,
  )
  const whole = Number(form.one('rows')) || undefined
  return importTable(name, table, rules, to, {
    ...doing,
    progress: (rows) => progress(rows, whole),
  })
}

/** Says what came in the way, at the file if it is the file; the choices stay. */
async function refused(c: C, error: unknown, form?: Form): Promise<Answer> {
  if (error instanceof Unreadable) {
    const fault = error.line > 0 ? `Line ${error.line} ${error.message}` : `It ${error.message}`
    return { page: String(<FilePage c={c} {...(form && { form })} fault={fault} />), status: 400 }
  }
  const cause = error instanceof Interrupted && error.cause ? error.cause : error
  if (!(cause instanceof Error)) throw cause
  const answer = answerError(cause, c)
  const { message } = await answer.json<{ message: string }>()
  const kept = error instanceof Interrupted ? `${error.message} ` : ''
  return {
    page: String(<Problem c={c} form={form} fault={`${kept}${message}`} />),
    status: answer.status as Answer['status'],
  }
}

function Problem({ c, form, fault }: { c: C; form: Form | undefined; fault: string }) {
  return (
    <Frame c={c} step="file" title="That did not work" form={form} fault={fault}>
      <Acts back="file" />
    </Frame>
  )
}

const ok = (page: { toString(): string }): Answer => ({ page: String(page), status: 200 })
