import type { Context } from 'hono'
import * as z from 'zod'
import { readForm } from '../../http/body.ts'
import { parsePreconditions } from '../../http/preconditions.ts'
import { ApiError } from '../../model/api-error.ts'
import type { Property } from '../../model/properties/compile.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { describeConflict, parseRenderedValues } from '../ui/form.tsx'
import { redirectWithFlash } from '../ui/notice.tsx'
import { collectionPath, newRecordPath, recordPath } from '../ui/paths.ts'
import { type CollectionInfo, describeCollection, recordTitle } from './collection-info.ts'
import { loadRecord } from './read.ts'
import {
  buildPatch,
  type FormValues,
  hasSameValue,
  parseFormValues,
  parseValue,
  RecordForm,
  toFormValues,
} from './record-form.tsx'

const RenderedValues = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** Renders the form for an existing record. */
export async function renderEditPage(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  const record = await loadRecord(c, collection, id)
  const properties = editableProperties(collection)
  const renderedValues = toFormValues(properties, record.values)
  return c.html(
    <RecordForm
      {...buildFormFrame(c, collection, id)}
      title={`Edit ${recordTitle(collection, record.values)}`}
      properties={properties}
      values={renderedValues}
      renderedValues={renderedValues}
      etag={record.etag}
    />,
  )
}

/** Saves the changed values. Renders the form again on errors, or if somebody else changed the record in the meantime. */
export async function saveEdit(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  const { fields, submitted, renderedValues, properties } = await readRecordForm(c, collection)
  const { resource } = collection
  const etag = String(fields.$etag ?? '')
  const changedProperties = properties.filter(
    (property) => !hasSameValue(submitted, renderedValues, property),
  )
  const path = recordPath(c, name, id)
  const { changes, errors } = parseChanges(changedProperties, submitted)
  const renderAgain = (overrides: Partial<Parameters<typeof RecordForm>[0]>, status: 400 | 412) =>
    c.html(
      <RecordForm
        {...buildFormFrame(c, collection, id)}
        title={`Edit ${collection.singularLabel}`}
        properties={properties}
        values={submitted}
        renderedValues={renderedValues}
        etag={etag}
        {...overrides}
      />,
      status,
    )
  if (Object.keys(errors).length > 0) return renderAgain({ errors }, 400)
  try {
    if (changes.length > 0) {
      const records = await c.var.openRecords()
      await records.merge(
        resource,
        id,
        buildPatch(changes),
        parsePreconditions({ 'If-Match': etag }),
        resource.related,
      )
    }
    return redirectWithFlash(c, path, {
      notice: changes.length > 0 ? 'Saved.' : 'No changes.',
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.type === 'BAD_REQUEST') return renderAgain(toFormErrors(error, properties), 400)
    if (error.type !== 'PRECONDITION_FAILED') throw error
  }
  const record = await loadRecord(c, collection, id)
  const current = toFormValues(properties, record.values)
  const values = Object.fromEntries(
    properties.map((property) => [
      property.name,
      (changedProperties.includes(property) ? submitted : current)[property.name] ?? '',
    ]),
  )
  const conflicting = changedProperties.filter(
    (property) => !hasSameValue(current, renderedValues, property),
  )
  return renderAgain(
    {
      values,
      renderedValues: current,
      etag: record.etag,
      error:
        'Somebody else changed this record while you had it open, so nothing was saved. Your changes are still here. If you save now, they replace the other person’s.',
      errors: Object.fromEntries(
        conflicting.map(({ name }) => [name, describeConflict([current[name]].flat().join(', '))]),
      ),
    },
    412,
  )
}

/** Renders the form for a new record. */
export async function renderNewPage(c: Context<DashboardEnv>, name: string) {
  const collection = await describeCollection(c, name)
  const properties = editableProperties(collection)
  return c.html(
    <RecordForm
      {...buildFormFrame(c, collection)}
      title={`New ${collection.singularLabel}`}
      properties={properties}
      values={{}}
      renderedValues={{}}
    />,
  )
}

/** Creates a record. Renders the form again on errors. */
export async function saveNew(c: Context<DashboardEnv>, name: string) {
  const collection = await describeCollection(c, name)
  const { submitted, properties } = await readRecordForm(c, collection)
  const renderAgain = (overrides: Partial<Parameters<typeof RecordForm>[0]>) =>
    c.html(
      <RecordForm
        {...buildFormFrame(c, collection)}
        title={`New ${collection.singularLabel}`}
        properties={properties}
        values={submitted}
        renderedValues={{}}
        {...overrides}
      />,
      400,
    )
  const { changes, errors } = parseChanges(
    properties.filter((property) => !hasSameValue(submitted, {}, property)),
    submitted,
  )
  if (Object.keys(errors).length > 0) return renderAgain({ errors })
  try {
    const { resource, kind } = collection
    const record = buildPatch(changes)
    const records = await c.var.openRecords()
    const id =
      kind === 'members'
        ? await records.createMember(resource, record)
        : await records.create(resource, record)
    return redirectWithFlash(c, recordPath(c, name, id), { notice: 'Created.' })
  } catch (error) {
    if (error instanceof ApiError && error.type === 'BAD_REQUEST')
      return renderAgain(toFormErrors(error, properties))
    throw error
  }
}

const editableProperties = ({ properties }: CollectionInfo) =>
  properties.filter(({ isEditable }) => isEditable)

const buildFormFrame = (c: Context<DashboardEnv>, { name }: CollectionInfo, id?: string) =>
  id === undefined
    ? {
        c,
        action: newRecordPath(c, name),
        cancelPath: collectionPath(c, name),
      }
    : { c, action: `${recordPath(c, name, id)}/edit`, cancelPath: recordPath(c, name, id) }

async function readRecordForm(c: Context<DashboardEnv>, collection: CollectionInfo) {
  const fields = await readForm(c.req)
  const properties = editableProperties(collection)
  return {
    fields,
    properties,
    submitted: parseFormValues(properties, fields),
    renderedValues: parseRenderedValues(RenderedValues, fields.$rendered),
  }
}

function parseChanges(properties: readonly Property[], submitted: FormValues) {
  const changes: { path: readonly string[]; value: unknown }[] = []
  const errors: Record<string, string> = {}
  for (const property of properties) {
    const result = parseValue(property, submitted)
    if ('error' in result) errors[property.name] = result.error
    else changes.push({ path: property.path, value: result.value })
  }
  return { changes, errors }
}

/** Assigns validation errors to the form's fields. Returns the whole message if no field matches. */
function toFormErrors(error: ApiError, properties: readonly Property[]) {
  const errors = Object.fromEntries(
    error.errors.flatMap(({ field, message }) => {
      const property = properties.find(({ name }) => field === name || field.startsWith(`${name}.`))
      return property ? [[property.name, message]] : []
    }),
  )
  return Object.keys(errors).length > 0 ? { errors } : { error: error.message }
}
