import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { type Source, Unreadable } from '../../import/read.ts'
import { openTable } from '../../import/tables/open-table.ts'
import type { Table } from '../../import/tables/table.ts'
import { type AskedForm, askedForm } from '../../import/tabular/asked-forms.ts'
import { kindOfFile } from '../../import/tabular/kind-of-file.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import {
  type Inspected,
  inspectTable,
  missingHeadings,
  parsedMapping,
  type Schemas,
} from '../../import/tabular/prepare.ts'
import { whichCollection } from '../../import/tabular/which-collection.ts'
import { ApiError } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection-names.ts'
import { kindNames } from '../../model/schema.ts'
import type { Progress } from './answer.ts'
import { bounded } from './bounded.ts'
import type { Form } from './form.ts'

/** A file as every step finds it before it goes on. */
export type Opened = {
  c: Context<DashboardEnv>
  form: Form
  table: Table
  name: string
  /** Of which kind the file is, and whether it is read as the last of its kind was. */
  kind: string
  isKept: boolean
  /** What its rows are, if that was chosen or can be told, and why. */
  collection: string | undefined
  because: string | undefined
  /** How it is read, as far as that was chosen, or as the last of its kind was. */
  mapping: Mapping | undefined
  schemas: Schemas
  /** The forms there are, where the rows are answers to one. */
  forms: readonly AskedForm[]
  progress: Progress
}

/** Opens the file that a step came with. Throws Unreadable where it is no table, 400 where the choices did not come whole. */
export async function open(
  c: Context<DashboardEnv>,
  form: Form,
  source: Source,
  progress: Progress,
): Promise<Opened> {
  const given = givenIn(form)
  const table = bounded(await tableOf(source, form.one('sheet'), given?.sheet))
  const kind = await kindOfFile(table.headings)
  const fits = (mapping: Mapping | undefined) =>
    mapping && missingHeadings(table, mapping).length === 0 ? mapping : undefined
  const own = fits(given)
  const kept = own ? undefined : fits(parsed(await c.var.imports.mapping(kind)))
  const known = own ?? kept
  const guessed = whichCollection(source.name, table.headings)
  const chosen = collectionNames.find((name) => name === form.one('collection'))
  const asked = form.one('form')
  const isSaid =
    (chosen === undefined || chosen === known?.collection) &&
    (asked === '' || asked === known?.same.surveyId)
  const mapping = isSaid ? known : undefined
  const collection = chosen ?? mapping?.collection ?? guessed?.collection
  return {
    ...{ c, form, table, kind, collection, progress },
    name: source.name,
    isKept: kept !== undefined && mapping === kept,
    because: collection === guessed?.collection ? guessed?.because : undefined,
    mapping: mapping && withSheet(mapping, table),
    schemas: await schemasOf(c),
    forms: collection === answers && !namesForms(table) ? await formsOf(c) : [],
  }
}

const answers = 'survey-responses'

/** Whether the rows say themselves which form they answer, as what was exported here does. */
const namesForms = ({ headings }: Table) => headings.some((name) => /^survey ?id$/i.test(name))

const formsOf = async (c: Context<DashboardEnv>): Promise<AskedForm[]> =>
  (await c.var.imports.forms()).map(askedForm)

/** The sheet that is asked for; or the one that was read before, if there is one of its name. */
async function tableOf(source: Source, asked: string, before: string | undefined): Promise<Table> {
  if (asked !== '' || before === undefined) return openTable(source, asked || undefined)
  return openTable(source, before).catch((error: unknown) => {
    if (error instanceof Unreadable) return openTable(source)
    throw error
  })
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

async function schemasOf({ var: { store } }: Context<DashboardEnv>): Promise<Schemas> {
  const texts = await Promise.all(kindNames.map((kind) => store.schema(kind)))
  return Object.fromEntries(
    kindNames.flatMap((kind, at) => {
      const text = texts[at]
      return text === undefined ? [] : [[kind, JSON.parse(text)]]
    }),
  )
}

/** Reads the file from end to end: what is in it, and what it is taken for. */
export async function surveyOf(opened: Opened): Promise<Inspected> {
  const { c, form, name, table, collection, schemas, forms, mapping, because, progress } = opened
  const { organisationId } = c.var.store
  const said = form.one('form') || String(mapping?.same.surveyId ?? '')
  const about = {
    ...{ organisationId, schemas, collection, progress },
    ...(forms.length > 0 && { forms: async () => forms }),
    wishes: { ...(said !== '' && { form: said }) },
  }
  const inspected = await inspectTable(name, table, about)
  return { ...inspected, ...(because !== undefined && { because }) }
}
