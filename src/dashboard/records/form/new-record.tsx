import type { Context } from 'hono'
import { isErrorOf } from '../../../model/api-error.ts'
import { collectionNames } from '../../../model/collection.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import { pagesOf } from '../../collections/collections.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { FieldValues } from '../../ui/form-values.ts'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { collectionPath, newRecordPath, recordPath } from '../../ui/paths.ts'
import { createAnywayName, findDuplicates, LikelyDuplicates } from './likely-duplicates.tsx'
import {
  type OpenRecordForm,
  openRecordForm,
  parseAnswers,
  readSubmitted,
  toQuestionErrors,
} from './open-form.ts'
import { buildPatch, hasSameAnswer, readValues } from './question.ts'
import { type RecordFormProps, renderForm } from './record-form.tsx'
import { creations } from './tasks.ts'

/** Renders the form for a new record, linked to the records in the query. */
export async function renderNewPage(c: Context<DashboardEnv>, name: string) {
  const form = await openRecordForm(c, name, true)
  const values: Record<string, string | readonly string[]> = blankValues(form)
  let back = ''
  for (const {
    names: [field = ''],
    collection = '',
    lists = [],
  } of form.questions) {
    const parameter = collection && pagesOf(collection).linkParameter
    const id = parameter && c.req.query(parameter)
    if (!id) continue
    values[field] = lists.includes(field) ? [id] : id
    back ||= `${collection}/${encodeURIComponent(id)}`
  }
  return renderForm({ ...frameForm(c, form, back), values })
}

/** Creates a record and returns to the linked one, if any. Renders the form again on errors. */
export async function saveNew(c: Context<DashboardEnv>, name: string) {
  const form = await openRecordForm(c, name, true)
  const { questions, collection } = form
  const { fields, submitted, isSaved } = await readSubmitted(c, questions)
  const back = String(fields.$back ?? '')
  const renderAgain = (overrides: Partial<RecordFormProps>, status: 200 | 400) =>
    renderForm({ ...frameForm(c, form, back), values: submitted, ...overrides }, status)
  if (!isSaved) return renderAgain({ searches: fields }, 200)
  const empty = readValues(questions, {})
  const answered = questions.filter(
    (question) => setsSeveral(question.names) || !hasSameAnswer(question, submitted, empty),
  )
  const { changes, errors } = await parseAnswers(c, answered, submitted, empty)
  if (Object.keys(errors).length > 0) return renderAgain({ errors }, 400)
  const record = buildPatch(changes)
  try {
    const duplicates = fields[createAnywayName] ? [] : await findDuplicates(c, collection, record)
    if (duplicates.length > 0)
      return renderAgain({ notice: LikelyDuplicates({ c, collection, duplicates }) }, 200)
    const id = await createRecord(c, form, record, submitted)
    const path = backPath(c, back) ?? recordPath(c, name, id)
    return redirectWithFlash(c, path, {
      notice: `${toLabel(collection.singularLabel)} added.`,
      ...(name === 'events' && { undo: `${recordPath(c, name, id)}/delete?dates=true` }),
    })
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return renderAgain(toQuestionErrors(error, questions), 400)
    throw error
  }
}

async function createRecord(
  c: Context<DashboardEnv>,
  { collection }: OpenRecordForm,
  record: ShownValues,
  submitted: FieldValues,
): Promise<string> {
  const { resource, name } = collection
  const create = creations[name]
  const records = await c.var.openRecords()
  return create
    ? create({ c, records, resource, record, submitted })
    : records.create(resource, record)
}

const blankValues = ({ questions, layout }: OpenRecordForm) => ({
  ...readValues(questions, {}),
  ...layout.defaults,
})

/** Questions that set several properties have an answer even if nobody changed it. */
const setsSeveral = ([name = '']: readonly string[]) => name.startsWith('$')

const frameForm = (
  c: Context<DashboardEnv>,
  { collection, layout }: OpenRecordForm,
  back: string,
) => ({
  c,
  layout,
  title: `New ${collection.singularLabel}`,
  saveLabel: `Save ${collection.singularLabel}`,
  crumbs: [{ name: collection.label, href: collectionPath(c, collection.name) }],
  action: newRecordPath(c, collection.name),
  cancelPath: backPath(c, back) ?? collectionPath(c, collection.name),
  hidden: { $back: back },
})

/** The path of the record to return to; undefined for none. */
function backPath(c: Context<DashboardEnv>, back: string): string | undefined {
  const [collection = '', id = ''] = back.split('/')
  if (!collectionNames.includes(collection) || id === '') return undefined
  try {
    return recordPath(c, collection, decodeURIComponent(id))
  } catch {
    return undefined
  }
}
