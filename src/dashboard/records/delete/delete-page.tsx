import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { parsePreconditions } from '../../../http/preconditions.ts'
import { isErrorOf } from '../../../model/api-error.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { readVersionDays } from '../../../store/history/deletions.ts'
import { deleteSeries } from '../../../store/sign-up/series.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
} from '../../collection/collection-info.ts'
import {
  describeCount,
  findReferencing,
  loadRecord,
  loadRecords,
  type ReferencingRecords,
} from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { SaveButtons } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath, recordPath } from '../../ui/paths.ts'

const maxNames = 5

/** Asks for confirmation before a deletion, and lists the records that go with it. */
export async function renderDeletePage(
  c: Context<DashboardEnv>,
  name: string,
  id: string,
  isConflict = false,
) {
  const collection = await describeCollection(c, name)
  const [record, referencing, versionDays, dates] = await Promise.all([
    loadRecord(c, collection, id),
    findReferencing(c, name, id, maxNames),
    readVersionDays(c.var.store),
    name === 'events' ? countDates(c, collection, id) : 0,
  ])
  const { singularLabel, kind, label } = collection
  const path = recordPath(c, name, id)
  const title = recordTitle(collection, record.values)
  const isUnlinked = ({ references }: ReferencingRecords) => references[0]?.optional === true
  return c.html(
    <Page
      c={c}
      title={`Delete ${title}`}
      lead={
        versionDays > 0
          ? `You can restore it for ${versionDays} days.`
          : 'This cannot be undone, because the organisation stores no previous versions.'
      }
      crumbs={[
        { name: label, href: collectionPath(c, name) },
        { name: title, href: path },
      ]}
    >
      {isConflict && (
        <p role="alert">
          Somebody else changed this record while you had it open, so it was not deleted.
        </p>
      )}
      {referencing
        .filter((group) => !isUnlinked(group))
        .map((group) => (
          <Affected group={group} heading={`${describeCount(group)} deleted with it`} />
        ))}
      {referencing.filter(isUnlinked).map((group) => (
        <Affected
          group={group}
          heading={`${describeCount(group)} kept, without the link to this ${singularLabel}`}
        />
      ))}
      {dates > 0 && (
        <p>
          Its dates stay, as {formatNumber(dates)} separate events, or are deleted with it, except
          those with bookings.
        </p>
      )}
      {kind && (
        <p>
          Text in those records stays, such as the name on a booking. If the person asked to be
          forgotten, ask an administrator to erase them instead.
        </p>
      )}
      <Form action={`${path}/delete`} hidden={{ etag: record.etag }}>
        <SaveButtons label={`Delete this ${singularLabel}`} isDangerous cancelPath={path}>
          {dates > 0 && (
            <button type="submit" class="button danger" formaction={`${path}/delete?dates=true`}>
              Delete it with its dates
            </button>
          )}
        </SaveButtons>
      </Form>
    </Page>,
    isConflict ? 412 : 200,
  )
}

/** Counts the dates of a series. */
async function countDates(c: Context<DashboardEnv>, events: CollectionInfo, id: string) {
  const query = new URLSearchParams({ parentEventId: id, limit: '1' })
  return (await loadRecords(c, events, query)).total ?? 0
}

/** Renders the records of a group by name. */
function Affected({ heading, group }: { heading: string; group: ReferencingRecords }) {
  const { collection, first, total } = group
  return (
    <section class="section">
      <h2>{heading}</h2>
      <ul>
        {first.map((values) => (
          <li>{recordTitle(collection, values)}</li>
        ))}
        {total > first.length && <li>and {formatNumber(total - first.length)} more</li>}
      </ul>
    </section>
  )
}

/** Deletes a record and its dependents unless it changed after the page was rendered. */
export async function submitDeletion(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  if (name === 'events' && c.req.query('dates')) return deleteWithDates(c, collection, id)
  const { etag } = await readFormBody(c.req)
  const [{ values }, referencing] = await Promise.all([
    loadRecord(c, collection, id),
    findReferencing(c, name, id, 1),
  ])
  try {
    const preconditions = parsePreconditions({ 'If-Match': String(etag ?? '') })
    const records = await c.var.openRecords()
    await records.delete(collection.resource, id, preconditions, { cascade: true })
  } catch (error) {
    if (isErrorOf(error, 'PRECONDITION_FAILED')) return renderDeletePage(c, name, id, true)
    throw error
  }
  const others = referencing
    .filter(({ references }) => !references[0]?.optional)
    .map(describeCount)
    .join(' and ')
  const title = recordTitle(collection, values)
  const hasVersions = (await readVersionDays(c.var.store)) > 0
  return redirectWithFlash(c, collectionPath(c, name), {
    notice: others ? `Deleted: ${title}, with ${others}.` : `Deleted: ${title}.`,
    ...(hasVersions && { undo: `${recordPath(c, name, id)}/restore` }),
  })
}

/** Deletes an event with its dates. Dates with bookings stay. */
async function deleteWithDates(c: Context<DashboardEnv>, events: CollectionInfo, id: string) {
  const { values } = await loadRecord(c, events, id)
  const dates = await countDates(c, events, id)
  const deleted = await deleteSeries(c.var.store, id)
  const isDeleted = deleted.includes(id)
  const title = recordTitle(events, values)
  const count = deleted.length - Number(isDeleted)
  const result = [
    isDeleted ? `Deleted: ${title}` : `${title} has bookings and stays`,
    count > 0 && `${formatCount(count, 'date')} deleted`,
    count < dates && `${formatCount(dates - count, 'date')} with bookings kept`,
  ]
  const hasVersions = (await readVersionDays(c.var.store)) > 0
  return redirectWithFlash(
    c,
    isDeleted ? collectionPath(c, 'events') : recordPath(c, 'events', id),
    {
      notice: `${result.filter(Boolean).join(', ')}.`,
      ...(isDeleted && hasVersions && { undo: `${recordPath(c, 'events', id)}/restore` }),
    },
  )
}
