import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { recordEtag } from '../../../http/etags.ts'
import { parsePreconditions } from '../../../http/preconditions.ts'
import { ApiError, isErrorOf } from '../../../model/api-error.ts'
import { formatRecordCount } from '../../../model/collection.ts'
import type { Kind } from '../../../model/properties/schema.ts'
import { refersToOthers } from '../../../model/references.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { pluralise } from '../../../platform/pluralise.ts'
import { readVisibleVersions } from '../../../resources/routes/versions.ts'
import { countMatched, findPersonLinks } from '../../../store/write/person-links.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type ShownValues,
} from '../../collection/collection-info.ts'
import { describeCount, findReferencing, type ReferencingRecords } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { FieldsForm } from '../../ui/fields-form.tsx'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath, recordPath } from '../../ui/paths.ts'
import { loadTitles } from '../record/titles.ts'

const maxReferencing = 100

/** The reason for a rejected erasure: the typed name does not match, or somebody else changed the record. */
type EraseError = 'another name' | 'changed'

/** Asks for a person's name to confirm their erasure, and lists the affected records. */
export async function renderErasePage(
  c: Context<DashboardEnv>,
  name: string,
  id: string,
  error?: EraseError,
) {
  const collection = await describePeople(c, name)
  const [{ values, etag }, referencing, matched] = await Promise.all([
    loadPerson(c, collection, id),
    findReferencing(c, name, id, maxReferencing),
    findMatched(c, collection.kind, id),
  ])
  const path = recordPath(c, name, id)
  const title = recordTitle(collection, values)
  const shared = [...referencing.flatMap((group) => findShared(group, id)), ...matched.others]
  const notes = `${collectionPath(c, 'case-notes')}?${new URLSearchParams({ $search: title })}`
  const status = { 'another name': 400, changed: 412 } as const
  return c.html(
    <Page
      c={c}
      title={`Erase ${title}`}
      lead="This cannot be undone. Only the person’s id and the time of the erasure remain. Programs that copy your data are told to erase them too."
      crumbs={[
        { name: collection.label, href: collectionPath(c, name) },
        { name: title, href: path },
      ]}
    >
      {referencing.length > 0 && (
        <p>
          {referencing.map(describeCount).join(' and ')}{' '}
          {pluralise(sumTotals(referencing), 'refers', 'refer')} to this person. Bookings stay for
          the figures, without the person’s name. Answers and notes are erased unless they concern
          other people too.
        </p>
      )}
      {matched.own.length > 0 && (
        <section class="section">
          <h2>Records that seem to be theirs</h2>
          <p>
            {matched.counts} {pluralise(matched.own.length, 'seems', 'seem')} to be theirs, by their
            id, e-mail address or phone number. Their contact details, and the texts about their
            grants and payments, are erased. Amounts and dates stay.
          </p>
          <RecordLinks c={c} records={matched.own.slice(0, maxReferencing)} />
        </section>
      )}
      {shared.length > 0 && (
        <section class="section">
          <h2>Records about other people too</h2>
          <p>
            They stay, without the link, e-mail address or phone number. Read them first: their text
            may still mention {title}.
          </p>
          <RecordLinks c={c} records={shared.slice(0, maxReferencing)} />
        </section>
      )}
      <p>
        Notes about other people may mention this person too.{' '}
        <a href={notes}>Search the notes for {title}</a>.
      </p>
      <FieldsForm
        action={`${path}/erase`}
        hidden={{ etag }}
        fields={[
          {
            name: 'name',
            label: `Type ${title} to confirm`,
            summaryLabel: 'The name',
            attributes: { type: 'text', autocomplete: 'off', required: true },
          },
        ]}
        values={{}}
        errors={error === 'another name' ? { name: `must be ${title}.` } : {}}
        error={
          error === 'changed'
            ? 'Somebody else changed this record while you had it open, so nobody was erased.'
            : undefined
        }
        failure="Nobody was erased."
        saveLabel="Erase for good"
        isDangerous
        cancelPath={path}
      />
    </Page>,
    error ? status[error] : 200,
  )
}

/** Erases a person if the typed name matches and the record has not changed since the page was rendered. */
export async function submitErasure(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describePeople(c, name)
  const { resource, kind } = collection
  const { values, etag: currentEtag } = await loadPerson(c, collection, id)
  const { etag, name: typedName } = await readFormBody(c.req)
  if (normaliseName(String(typedName ?? '')) !== normaliseName(recordTitle(collection, values)))
    return renderErasePage(c, name, id, 'another name')
  // Somebody restored or deleted the person since.
  if ((etag === '') !== (currentEtag === '')) return renderErasePage(c, name, id, 'changed')
  try {
    const preconditions = etag === '' ? {} : parsePreconditions({ 'If-Match': String(etag ?? '') })
    const records = await c.var.openRecords()
    const { shared } = await records.erase({ ...resource, kind }, id, preconditions)
    const sharedNotice = `Records that concern other people stay, without the link: ${formatNumber(shared.length)}.`
    const notice = shared.length > 0 ? `Erased. ${sharedNotice}` : 'Erased.'
    return redirectWithFlash(c, collectionPath(c, name), { notice })
  } catch (error) {
    if (isErrorOf(error, 'PRECONDITION_FAILED')) return renderErasePage(c, name, id, 'changed')
    throw error
  }
}

async function describePeople(c: Context<DashboardEnv>, name: string) {
  const collection = await describeCollection(c, name)
  const { kind } = collection
  if (!kind) throw new ApiError('NOT_FOUND', 'Only people can be erased.')
  return { ...collection, kind }
}

/** Loads a person, or the last version of a deleted one with '' as ETag. Throws 404. */
async function loadPerson(c: Context<DashboardEnv>, { resource }: CollectionInfo, id: string) {
  const { document, currentVersion } = await readVisibleVersions(c.var.store, resource, id)
  const values: ShownValues = JSON.parse(document)
  return { values, etag: currentVersion === undefined ? '' : recordEtag(currentVersion) }
}

type RecordLink = { collection: string; id: string; title: string }

const RecordLinks = ({
  c,
  records,
}: {
  c: Context<DashboardEnv>
  records: readonly RecordLink[]
}) => (
  <ul>
    {records.map(({ collection, id, title }) => (
      <li>
        <a href={recordPath(c, collection, id)}>{title}</a>
      </li>
    ))}
  </ul>
)

/** Finds the records with the person's id, e-mail address or phone number, and counts their own in words. */
async function findMatched(c: Context<DashboardEnv>, kind: Kind, id: string) {
  const { store } = c.var
  const guard = { permissions: ['read'], collection: kind, policy: store.policy } as const
  const { matched } = await findPersonLinks(store, { kind, id }, guard)
  const findTitle = await loadTitles(c, matched)
  const links = matched.map(({ collection, id, isOwn }) => ({
    collection,
    id,
    isOwn,
    title: findTitle(collection, id)?.title ?? id,
  }))
  const own = links.filter(({ isOwn }) => isOwn)
  return {
    own,
    others: links.filter(({ isOwn }) => !isOwn),
    counts: countMatched(own)
      .map(([name, count]) => formatRecordCount(count, name))
      .join(' and '),
  }
}

/** Finds the referring records that also refer to other people. */
const findShared = ({ references, collection, first }: ReferencingRecords, id: string) =>
  first
    .filter((record) => references.some((reference) => refersToOthers(reference, record, id)))
    .map((record) => ({
      collection: collection.name,
      id: String(record[collection.id]),
      title: recordTitle(collection, record),
    }))

const sumTotals = (groups: readonly ReferencingRecords[]) =>
  groups.reduce((sum, { total }) => sum + total, 0)

const normaliseName = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
