import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { parsePreconditions } from '../../../http/preconditions.ts'
import { ApiError, isErrorOf } from '../../../model/api-error.ts'
import { valueAt } from '../../../model/json.ts'
import { type Difference, planUndo } from '../../../records/undo/undo-change.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type ShownProperty,
} from '../../collection/collection-info.ts'
import { type LoadedRecord, loadRecord } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { SaveButtons } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath, recordPath } from '../../ui/paths.ts'
import { isRestorable, listHistoryRecords, loadChanges } from './changes.ts'
import { DifferenceText } from './history.tsx'
import { type FindTitle, loadTitles } from './titles.ts'

/**
 * Undoes a change: each of its fields gets the value from before, unless it changed again since. In
 * that case, shows the values and asks whether to undo the rest.
 */
export async function undoChange(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  const { version, rest } = await readFormBody(c.req)
  const record = await loadRecord(c, collection, id)
  const { changes } = await loadChanges(c, collection, id)
  const change = changes.find((it) => String(it.version) === version)
  if (!change?.canBeUndone)
    throw new ApiError('NOT_FOUND', 'This change is no longer stored, so it cannot be undone.')
  const restorable = change.differences.filter(({ property }) => isRestorable(property))
  const { patch, undone, conflicts } = planUndo(restorable, record.values)
  const path = recordPath(c, name, id)
  if (conflicts.length > 0 && rest !== 'true') {
    const findTitle = await loadTitles(c, listHistoryRecords(collection, changes))
    const props = { collection, record, undone, conflicts, findTitle, version: change.version }
    return c.html(<ConflictPage c={c} {...props} />, 409)
  }
  if (undone.length === 0) return redirectWithFlash(c, path, { notice: 'Nothing was undone.' })
  const { resource } = collection
  const records = await c.var.openRecords()
  try {
    const preconditions = parsePreconditions({ 'If-Match': record.etag })
    await records.merge(resource, id, patch, preconditions, resource.related)
  } catch (error) {
    if (isErrorOf(error, 'PRECONDITION_FAILED'))
      throw new ApiError('CONFLICT', 'Somebody changed this record just now. Try again.')
    throw error
  }
  const labels = undone.map(({ label }) => label).join(', ')
  return redirectWithFlash(c, path, { notice: `The change was undone: ${labels}.` })
}

type ConflictProps = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  record: LoadedRecord
  version: number
  undone: readonly ShownProperty[]
  conflicts: readonly Difference<ShownProperty>[]
  findTitle: FindTitle
}

/** Renders the fields that changed again since, so that their undoing would lose a newer value. */
function ConflictPage(props: ConflictProps) {
  const { c, collection, record, version, undone, conflicts, findTitle } = props
  const { name } = collection
  const path = recordPath(c, name, record.id)
  const title = recordTitle(collection, record.values)
  return (
    <Page
      c={c}
      title="Undo a change"
      lead="Some of its fields changed again since, so nothing was undone yet."
      crumbs={[
        { name: collection.label, href: collectionPath(c, name) },
        { name: title, href: path },
      ]}
    >
      <section class="section">
        <h2>Changed again</h2>
        <ul class="stack">
          {conflicts.map((difference) => (
            <li>
              <DifferenceText name={name} findTitle={findTitle} difference={difference} />
              <DifferenceText
                name={name}
                findTitle={findTitle}
                difference={{
                  ...difference,
                  from: difference.to,
                  to: valueAt(record.values, difference.property.path),
                }}
              />
            </li>
          ))}
        </ul>
        <p>These values stay. To set another one, edit the record.</p>
      </section>
      {undone.length > 0 ? (
        <Form action={`${path}/undo`} hidden={{ version, rest: 'true' }}>
          <SaveButtons
            label={`Undo ${undone.map(({ label }) => label).join(', ')} only`}
            cancelPath={path}
            cancelLabel={`Back to ${title}`}
          />
        </Form>
      ) : (
        <p>
          <a class="button" href={path}>
            Back to {title}
          </a>
        </p>
      )}
    </Page>
  )
}
