import type { Context } from 'hono'
import { ApiError } from '../../../model/api-error.ts'
import { valueAt } from '../../../model/json.ts'
import { changeMany } from '../../../records/change-many.ts'
import { RunningImport } from '../../../store/imports/running-import.ts'
import type {
  CollectionInfo,
  ShownProperty,
  ShownValues,
} from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { type FormField, readItems } from '../../ui/fields.tsx'
import { type FieldErrors, parseFieldValues } from '../../ui/form-values.ts'
import { undoPath } from '../../ui/paths.ts'
import { propertyQuestion } from '../form/property-question.tsx'
import { buildPatch } from '../form/question.ts'
import { renderActionPage, type SelectionScope } from './action-page.tsx'
import { findTags } from './bulk-bar.tsx'
import { finishAction } from './finish.tsx'
import { maxChanged, readIds, resolveIds, type SubmittedFields } from './selection.ts'

type Input = { c: Context<DashboardEnv>; collection: CollectionInfo; fields: SubmittedFields }

const maxTagLength = 100

const tagField: FormField = {
  name: 'tag',
  label: 'Tag',
  attributes: { type: 'text', required: true, maxlength: maxTagLength },
}

/** Renders the form that adds a tag to the selected records. */
export const renderTagPage = ({ c, collection, fields }: Input, error?: string) =>
  renderActionPage({
    c,
    collection,
    ids: readIds(fields),
    action: 'tag',
    title: 'Add a tag',
    error,
    saveLabel: 'Add tag',
    scope: readScope(fields),
    fields: [tagField],
    values: readItems([tagField], fields),
  })

/** Adds a tag to the selected records that lack it. */
export async function addTag(input: Input) {
  const { collection, fields } = input
  const property = findTags(collection)
  if (!property) throw new ApiError('BAD_REQUEST', 'These records have no tags.')
  const tag = String(fields.tag ?? '').trim()
  if (tag === '' || tag.length > maxTagLength)
    return renderTagPage(input, `A tag has 1 to ${maxTagLength} characters.`)
  return change(
    input,
    (record) => {
      const value = valueAt(record, property.path)
      const tags = Array.isArray(value) ? value.map(String) : []
      const hasTag = tags.some((other) => other.toLowerCase() === tag.toLowerCase())
      return buildPatch([{ path: property.path, value: hasTag ? tags : [...tags, tag] }])
    },
    { property, action: `Added the tag “${tag}”` },
  )
}

/** The properties that can have the same value in many records. */
const listFields = ({ properties }: CollectionInfo): ShownProperty[] =>
  properties.filter(({ isEditable, isTechnical }) => isEditable && !isTechnical)

/** Renders the choice of a field, then its control. */
export function renderFieldChange({ c, collection, fields }: Input, errors: FieldErrors = {}) {
  const property = findField(collection, fields)
  const page = { c, collection, ids: readIds(fields), action: 'field', scope: readScope(fields) }
  if (!property)
    return renderActionPage({
      ...page,
      title: 'Edit a field',
      saveLabel: 'Continue',
      fields: [
        {
          name: 'field',
          label: 'Field',
          options: listFields(collection).map(({ name, label }) => ({ value: name, label })),
        },
      ],
    })
  const { Control, ...question } = propertyQuestion(property)
  return renderActionPage({
    ...page,
    title: `Edit: ${property.label}`,
    saveLabel: 'Save',
    hidden: { field: property.name, isEntered: 'true' },
    fields: [
      {
        ...question,
        Control: (shown) => <Control c={c} chosen={[]} search={undefined} {...shown} />,
      },
    ],
    values: parseFieldValues([question], fields),
    errors,
    children: (
      <p class="hint">Each of the records gets this value. An empty one clears the field.</p>
    ),
  })
}

/** Gives the selected records the same value in a field. */
export async function saveFieldChange(input: Input) {
  const { c, collection, fields } = input
  const property = findField(collection, fields)
  if (!property || fields.isEntered !== 'true') return renderFieldChange(input)
  const question = propertyQuestion(property)
  const submitted = parseFieldValues([question], fields)
  const answer = await question.parse({ c, submitted, rendered: {} })
  if ('errors' in answer) return renderFieldChange(input, answer.errors)
  const patch = buildPatch(answer.changes)
  return change(input, () => patch, {
    property,
    action: `Changed “${property.label}”`,
  })
}

function findField(collection: CollectionInfo, fields: SubmittedFields): ShownProperty | undefined {
  return listFields(collection).find(({ name }) => name === fields.field)
}

const readScope = ({ scope }: SubmittedFields): SelectionScope =>
  scope === 'all' ? 'all' : 'selected'

/** Changes a property of the records as one bulk edit, which can be undone, and shows the result. */
async function change(
  { c, collection, fields }: Input,
  patch: (record: ShownValues) => ShownValues,
  { property, action }: { property: ShownProperty; action: string },
) {
  const ids = await resolveIds(c, collection, fields, maxChanged)
  const records = await c.var.openRecords()
  const run = new RunningImport(c.var.store, {
    collection: collection.name,
    edited: property.label,
    through: 'edit',
  })
  const source = await run.source()
  const { changed, unchanged, failed } = await changeMany(
    records.destination,
    collection.resource,
    ids,
    patch,
    source,
  )
  if (changed === 0) await run.discard()
  else await run.finish({ created: 0, updated: changed, unchanged, rejected: failed.size })
  const undo = changed > 0 && source.import !== undefined ? undoPath(c, source.import) : undefined
  return finishAction(c, collection, { action, done: changed, unchanged, failed, undo })
}
