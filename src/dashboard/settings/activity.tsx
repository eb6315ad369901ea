import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { Hono } from '../../http/hono.ts'
import { auditAreas, isAuditArea } from '../../model/audit-actions.ts'
import { collectionTitle, formatRecordCount } from '../../model/collection.ts'
import { toLabel } from '../../model/properties/compile.ts'
import { pluralise } from '../../platform/pluralise.ts'
import {
  type Activity,
  type ActivityCursor,
  listActivity,
  listActors,
} from '../../store/read/activity.ts'
import { describeCollection, recordTitle } from '../collection/collection-info.ts'
import { type FindTitle, loadTitles } from '../records/record/titles.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { FilterForm } from '../ui/filter-form.tsx'
import { Page } from '../ui/page.tsx'
import { recordPath, storedImportPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'

const all = { value: '', label: 'All' }

const areaOptions = [all, ...Object.entries(auditAreas).map(([value, label]) => ({ value, label }))]

/** What people and keys did, newest first, filtered by person and kind. */
export const routes = new Hono<DashboardEnv>().get('/', (c) => renderActivityPage(c))

async function renderActivityPage(c: Context<DashboardEnv>) {
  const kind = c.req.query('kind') ?? ''
  const area = isAuditArea(kind) ? kind : undefined
  const actor = c.req.query('person') || undefined
  const before = parseCursor(c.req.query('before'))
  const { store } = c.var
  const [{ activities, next }, actors] = await Promise.all([
    listActivity(store, { area, actor, before }),
    listActors(store),
  ])
  const findTitle = await loadTitles(
    c,
    activities.flatMap((activity) => (activity.source === 'entry' && activity.record) || []),
  )
  const rows = await describeActivities(c, activities, findTitle)
  const names = actor === undefined || actors.includes(actor) ? actors : [actor, ...actors]
  return c.html(
    <Page c={c} title="Activity" lead="What people, keys and the service did.">
      <FilterForm
        label="Filter"
        fields={[
          {
            name: 'kind',
            label: 'Kind',
            options: areaOptions,
          },
          {
            name: 'person',
            label: 'Person',
            options: [all, ...names.map((value) => ({ value, label: toActorName(value) }))],
          },
        ]}
        values={{ kind: area ?? '', person: actor ?? '' }}
      />
      {rows.length === 0 ? (
        <p>{next ? 'This page has no activity.' : 'There is no activity yet.'}</p>
      ) : (
        <DataTable
          label="Activity"
          isStacked
          columns={[
            { heading: 'When', cell: ({ at }) => <Time value={at} /> },
            { heading: 'Person', cell: ({ actor }) => toActorName(actor) },
            { heading: 'Action', cell: ({ action }) => action },
            { heading: 'Object', cell: ({ object }) => object },
          ]}
          rows={rows}
        />
      )}
      {next && (
        <p class="pager">
          <a class="button" href={`?${formatQuery({ kind: area, actor, next })}`}>
            Older
          </a>
        </p>
      )}
    </Page>,
  )
}

const serviceActors = ['command line', 'retention', 'public page', 'a deleted key', 'not known']

/** Returns the name of an actor: that of a person or key, or of a part of the service. */
const toActorName = (actor: string) => (serviceActors.includes(actor) ? toSentence(actor) : actor)

const toSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

type Description = { at: string; actor: string; action: string; object: Child }

/** Describes activities in words. Deletions of one operation share a row. */
async function describeActivities(
  c: Context<DashboardEnv>,
  activities: readonly Activity[],
  findTitle: FindTitle,
): Promise<Description[]> {
  const descriptions: Description[] = []
  for (let index = 0; index < activities.length; ) {
    const activity = activities[index]
    if (!activity) break
    const { at, actor } = activity
    const group = activities.slice(index, index + countSame(activities, index))
    index += group.length
    descriptions.push({ at, actor, ...(await describeOne(c, activity, group, findTitle)) })
  }
  return descriptions
}

/** Returns the number of activities from an index that are deletions of the same operation; otherwise 1. */
function countSame(activities: readonly Activity[], index: number): number {
  const first = activities[index]
  const isSame = (other: Activity) =>
    first?.source === 'version' &&
    other.source === 'version' &&
    other.collection === first.collection &&
    other.actor === first.actor &&
    other.at.slice(0, minutes) === first.at.slice(0, minutes)
  const end = activities.findIndex((other, at) => at > index && !isSame(other))
  return (end === -1 ? activities.length : end) - index || 1
}

// The length of a time without its seconds.
const minutes = '2026-01-01T00:00'.length

async function describeOne(
  c: Context<DashboardEnv>,
  activity: Activity,
  group: readonly Activity[],
  findTitle: FindTitle,
): Promise<Pick<Description, 'action' | 'object'>> {
  if (activity.source === 'entry')
    return {
      action: toSentence(activity.action),
      object: <EntryObject c={c} entry={activity} findTitle={findTitle} />,
    }
  if (activity.source === 'import') {
    const { position, collection, file, edited, records } = activity
    const counted = formatRecordCount(records, collection)
    return {
      action: nameAction(activity),
      object: (
        <a href={storedImportPath(c, position)}>
          {edited === null ? (file ?? counted) : `${edited} of ${counted}`}
        </a>
      ),
    }
  }
  const { collection } = activity
  const info = await describeCollection(c, collection)
  const names = group.flatMap((one) =>
    one.source === 'version' && one.document !== null
      ? [
          <a href={recordPath(c, collection, one.id)}>
            {recordTitle(info, JSON.parse(one.document))}
          </a>,
        ]
      : [],
  )
  const shown = names.slice(0, maxNames)
  const more = group.length - shown.length
  return {
    action: `Deleted ${pluralise(group.length, info.singularLabel, collectionTitle(collection))}`,
    object: (
      <>
        {shown.map((name, index) => (
          <>
            {index > 0 && ', '}
            {name}
          </>
        ))}
        {more > 0 &&
          (shown.length > 0 ? `, ${more} more` : toLabel(formatRecordCount(more, collection)))}
      </>
    ),
  }
}

function nameAction({
  collection,
  edited,
  isDeletion,
}: Extract<Activity, { source: 'import' }>): string {
  if (isDeletion) return `Deleted ${collectionTitle(collection)}`
  return edited === null ? 'Imported' : `Edited ${collectionTitle(collection)}`
}

type EntryProps = {
  c: Context<DashboardEnv>
  entry: Extract<Activity, { source: 'entry' }>
  findTitle: FindTitle
}

/** Renders the record that an entry is about as a link, while it has a name; otherwise the entry's own words. */
function EntryObject({ c, entry: { record, target }, findTitle }: EntryProps) {
  const found = record && findTitle(record.collection, record.id)
  if (!record || !found) return <>{target}</>
  return (
    <>
      <a href={recordPath(c, record.collection, record.id)}>{found.title}</a>
      {target !== record.id && ` (${target})`}
    </>
  )
}

const maxNames = 5

const first: ActivityCursor = {
  entry: Number.MAX_SAFE_INTEGER,
  import: Number.MAX_SAFE_INTEGER,
  version: Number.MAX_SAFE_INTEGER,
}

/** Parses the positions of a page; the first page for any other text. */
function parseCursor(text = ''): ActivityCursor {
  const [, entry, imported, version] = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(text) ?? []
  if (version === undefined) return first
  return { entry: Number(entry), import: Number(imported), version: Number(version) }
}

function formatQuery({
  kind,
  actor,
  next,
}: {
  kind: string | undefined
  actor: string | undefined
  next: ActivityCursor
}) {
  const before = [next.entry, next.import, next.version].join('.')
  return new URLSearchParams({
    ...(kind && { kind }),
    ...(actor && { person: actor }),
    before,
  })
}
