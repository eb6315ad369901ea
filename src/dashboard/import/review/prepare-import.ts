import type { RowAnswers } from '../../../import/candidates/row-answers.ts'
import { buildTableRules } from '../../../import/candidates/table-rules.ts'
import { createDestination } from '../../../import/destination/destination.ts'
import { importTable } from '../../../import/import-table.ts'
import { listOpenConsents } from '../../../import/mapping/consent-columns.ts'
import type { Inspection } from '../../../import/mapping/inspect-file.ts'
import { chosenEventId, type Mapping, needsEvent } from '../../../import/mapping/mapping.ts'
import { limitNewPeople } from '../../../import/people-limit.ts'
import type { TableImportResult } from '../../../import/report/import-result.ts'
import { isKind } from '../../../model/properties/schema.ts'
import { findLikelyDuplicatesOf } from '../../../records/search/duplicates.ts'
import { RunningImport } from '../../../store/imports/running-import.ts'
import { can } from '../../session/permissions.ts'
import { type OpenedFile, surveyFile } from '../steps/open-file.ts'
import { applyChoices, listMissingFields } from './apply-choices.ts'
import { readEventQuestion, type SheetEventQuestion } from './event-question.ts'
import { type FormAnswers, readRowAnswers } from './row-answers-form.ts'
import { readTicksQuestion, type TicksQuestion } from './ticks-question.ts'

/** A file with the choices of its form, and what they lack for an import. */
export type PreparedImport = {
  opened: OpenedFile
  inspected: Inspection
  mapping: Mapping
  /** Whether the user may add fields and options to the schema. */
  canExtendSchema: boolean
  /** The words for the records of the collection. */
  noun: { one: string; many: string; changing: string }
  rowAnswers: FormAnswers
  /** The question about the event of bookings, if no column names it. */
  event: SheetEventQuestion | undefined
  /** The questions about a sheet of ticks. */
  ticks: TicksQuestion | undefined
  /** The columns about consent without an answer. */
  consents: readonly string[]
  /** Messages by form field, and a general one. */
  errors: Readonly<Record<string, string>>
  error?: string | undefined
  /** The rules and any new schema; absent if an answer is missing that every row needs. */
  ready?: Extract<Awaited<ReturnType<typeof buildTableRules>>, { rules: object }> | undefined
}

/** Applies the choices of the form to the file. */
export async function prepareImport(opened: OpenedFile): Promise<PreparedImport> {
  const { c, form, schemas, table } = opened
  const inspected = await surveyFile(opened)
  const previous = opened.mapping ?? withSheetDefaults(inspected.proposal.mapping)
  // The form may have been for another collection, form or sheet.
  const hasChoices = form.has('id') && opened.mapping !== undefined && !opened.usesSavedMapping
  const choices = hasChoices
    ? applyChoices(form, previous, inspected)
    : { mapping: previous, errors: {} }
  const rowAnswers = readRowAnswers(form, table.headings)
  const ticks = await readTicksQuestion(opened, choices.mapping, inspected)
  const event = ticks ? undefined : await readEventQuestion(opened, choices.mapping)
  const mapping = ticks?.mapping ?? event?.mapping ?? choices.mapping
  const prepared = {
    opened,
    inspected,
    mapping,
    canExtendSchema: inspected.schema !== undefined && can(c, 'administer'),
    noun: inspected.schema ? people : records,
    rowAnswers,
    event,
    ticks,
    consents: listOpenConsents(mapping, inspected),
    errors: choices.errors,
  }
  const isMissing =
    Object.keys(choices.errors).length > 0 ||
    (event && !event.mapping) ||
    (ticks && !ticks.mapping) ||
    listMissingFields(mapping, inspected).some(({ path }) => mapping.same[path] === undefined)
  if (isMissing) return prepared
  const { organisationId } = c.var.store
  const ready = await buildTableRules(mapping, organisationId, schemas, async () => opened.forms)
  if ('errors' in ready) {
    const match = ready.errors.find(({ field }) => field === 'match')
    const otherErrors = ready.errors.filter((error) => error !== match)
    return {
      ...prepared,
      ...(match && { errors: { match: match.message } }),
      ...(otherErrors.length > 0 && {
        error: otherErrors.map(({ field, message }) => `${field} ${message}`).join(' '),
      }),
    }
  }
  if (ready.schema && !can(c, 'administer')) {
    const error = 'Only administrators can add fields and options. Leave these columns out.'
    return { ...prepared, error }
  }
  return { ...prepared, ready }
}

const people = { one: 'person', many: 'people', changing: 'People who will change' }
const records = { one: 'record', many: 'records', changing: 'Records that will change' }

/** A proposed mapping that marks the register of a sign-in sheet and adds its people as members. */
function withSheetDefaults(mapping: Mapping): Mapping {
  if (!needsEvent(mapping) || chosenEventId(mapping) !== '') return mapping
  const marksAttendance = mapping.columns.some(({ field }) => field === 'attending')
  return { ...mapping, marksAttendance, addsMembers: marksAttendance }
}

/**
 * Counts what an import with these answers would change. A row that may be about the same person as
 * another is left out until somebody decides; the answers for the import say so. Throws 403 for more new people
 * than a trial imports.
 */
export async function previewRows(
  prepared: PreparedImport,
  ready: NonNullable<PreparedImport['ready']>,
  answers: RowAnswers,
): Promise<{ result: TableImportResult; answers: RowAnswers }> {
  const { result } = await importOpenedRows(prepared, ready, answers, {
    writes: false,
    comparesPeople: true,
  })
  const { similar, created, addedMembers } = result
  const { c } = prepared.opened
  const newPeople = (isKind(ready.rules.mapping.collection) ? created : 0) + addedMembers
  await limitNewPeople(c.env, c.var.store)?.(newPeople)
  if (similar.length === 0) return { result, answers }
  const undecided = similar.map(({ line }) => line)
  const decided = { ...answers, leftOut: new Set([...answers.leftOut, ...undecided]) }
  const { result: remaining } = await importOpenedRows(prepared, ready, decided, { writes: false })
  return { result: { ...remaining, similar }, answers: decided }
}

type ImportOptions = Pick<Parameters<typeof importTable>[4], 'writes' | 'rejected'> & {
  /** Whether to look for stored people who may be the same as new ones. */
  comparesPeople?: boolean
}

/** Imports the rows with these answers, or only counts what would change. Returns the id of the import, if it wrote anything. */
export async function importOpenedRows(
  { opened, inspected }: PreparedImport,
  { rules }: NonNullable<PreparedImport['ready']>,
  answers: RowAnswers,
  { comparesPeople = false, ...options }: ImportOptions,
): Promise<{ result: TableImportResult; importId: number | undefined }> {
  const { c, form, table, source, progress, schemas } = opened
  const { collection } = rules.mapping
  const { destination: parts } = await c.var.openRecords()
  const totalRows = Number(form.get('rows')) || undefined
  const isFile = form.pasted === ''
  const run = new RunningImport(c.var.store, { collection, source: isFile ? source : undefined })
  const kind = inspected.schema?.kind
  const result = await importTable(
    source.name,
    table,
    rules,
    createDestination(parts, collection, run),
    {
      ...options,
      answers,
      members: schemas.members && {
        destination: createDestination(parts, 'members', run),
        schema: schemas.members,
      },
      events: createDestination(parts, 'events', run),
      findDuplicates:
        kind && comparesPeople
          ? (people) => findLikelyDuplicatesOf(c.var.store, { kind, fields: rules.fields }, people)
          : undefined,
      progress: (rows) => progress(rows, totalRows),
    },
  )
  return { result, importId: run.id }
}
