import type { Context } from 'hono'
import { formatShortMoment } from '../../../model/dates.ts'
import { references } from '../../../model/references.ts'
import { isObjectList } from '../../../model/value-types.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import type { Difference } from '../../../records/undo/undo-change.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type ShownProperty,
} from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionButton } from '../../ui/button.tsx'
import { formatValue } from '../../ui/format-value.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath, dashboardPath, recordPath } from '../../ui/paths.ts'
import { isEmpty } from '../../ui/value.tsx'
import { listHistoryRecords, loadChanges, maxLatest, type ShownChange } from './changes.ts'
import type { RecordViewProps } from './record-layout.ts'
import { type FindTitle, loadTitles } from './titles.ts'

type Props = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  id: string
  changes: readonly ShownChange[]
  findTitle: FindTitle
}

/** Renders the page with the whole history of a record. */
export async function renderHistoryPage(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  const { current, changes } = await loadChanges(c, collection, id)
  const findTitle = await loadTitles(c, [
    ...listHistoryRecords(collection, changes),
    { collection: name, id },
  ])
  const title = current
    ? recordTitle(collection, current)
    : (findTitle(name, id)?.title ?? collection.singularLabel)
  return c.html(
    <Page
      c={c}
      title={`History of ${title}`}
      lead="The last 50 changes, in UK time."
      crumbs={[
        { name: collection.label, href: collectionPath(c, name) },
        { name: title, href: recordPath(c, name, id) },
      ]}
    >
      <History c={c} collection={collection} id={id} changes={changes} findTitle={findTitle} />
    </Page>,
  )
}

/** Renders the latest changes of a record, and a link to all. */
export function LatestHistory({ c, view }: RecordViewProps) {
  const { collection, record, changes, findTitle, versionDays } = view
  const { id } = record
  return (
    <section class="section" id="history">
      <h2>
        History {versionDays > 0 && <small>You can undo changes for {versionDays} days</small>}
      </h2>
      <History
        c={c}
        collection={collection}
        id={id}
        findTitle={findTitle}
        changes={changes.slice(0, maxLatest)}
      />
      {changes.length > maxLatest && (
        <p class="after">
          <a href={`${recordPath(c, collection.name, id)}/history`}>All changes</a>
        </p>
      )}
    </section>
  )
}

/** Renders changes: which fields, from what to what, by whom and when, with a button that undoes each. */
export function History({ c, collection, id, changes, findTitle }: Props) {
  return (
    <ul class="stack">
      {changes.map((change) => (
        <li class="event">
          <div>
            <ChangeText c={c} collection={collection} change={change} findTitle={findTitle} />
            <p class="quiet">
              {change.author}, <time datetime={change.at}>{formatShortMoment(change.at)}</time>
              {change.importId !== undefined && can(c, 'write') && (
                <>
                  {' '}
                  ·{' '}
                  <a href={dashboardPath(c, `/import/done/${change.importId}`)}>Show all records</a>
                </>
              )}
            </p>
          </div>
          {can(c, 'write') && (
            <UndoButton
              c={c}
              collection={collection}
              id={id}
              change={change}
              findTitle={findTitle}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

type ChangeProps = Omit<Props, 'id' | 'changes'> & { change: ShownChange }

const words = { created: 'Added', restored: 'Restored', deleted: 'Deleted' } as const

const maxDifferences = 6

function ChangeText({ c, collection, change, findTitle }: ChangeProps) {
  const { differences, otherFields, merged } = change
  const { name } = collection
  const difference = (shown: Difference<ShownProperty>) => (
    <DifferenceText name={name} findTitle={findTitle} difference={shown} />
  )
  const others = differences.slice(maxDifferences)
  return (
    <>
      {change.change !== 'updated' && change.change !== 'merged' && (
        <p>
          <strong>{words[change.change]}</strong>
        </p>
      )}
      {merged && (
        <p>
          <strong>Merged</strong> with{' '}
          <RecordName
            c={c}
            name={name}
            id={merged.id}
            findTitle={findTitle}
            isLinked={!merged.canBeRestored}
          />
        </p>
      )}
      {differences.slice(0, maxDifferences).map(difference)}
      {others.length > 0 && (
        <details class="fold">
          <summary>{others.length} more fields</summary>
          {others.map(difference)}
        </details>
      )}
      {otherFields.length > 0 && (
        <p>
          <strong>{otherFields.join(', ')}</strong> changed; the values are no longer stored
        </p>
      )}
      {change.change === 'updated' && differences.length + otherFields.length === 0 && (
        <p>Areas and other looked-up values were refreshed</p>
      )}
    </>
  )
}

type RecordNameProps = {
  c: Context<DashboardEnv>
  name: string
  id: string
  findTitle: FindTitle
  isLinked: boolean
}

function RecordName({ c, name, id, findTitle, isLinked }: RecordNameProps) {
  const known = findTitle(name, id)
  if (!known) return 'a record that is gone'
  return isLinked ? <a href={recordPath(c, name, id)}>{known.title}</a> : known.title
}

type DifferenceProps = {
  name: string
  findTitle: FindTitle
  difference: Difference<ShownProperty>
}

/** Renders the old and the new value of a field. */
export function DifferenceText({ name, findTitle, difference }: DifferenceProps) {
  const { property, from, to } = difference
  return (
    <p>
      <strong>{property.label}</strong>{' '}
      <span class="change">
        <del>
          <span class="visually-hidden">From </span>
          {formatShort(name, property, from, findTitle)}
        </del>{' '}
        <Icon name="right" class="icon inline" />{' '}
        <ins>
          <span class="visually-hidden">To </span>
          {formatShort(name, property, to, findTitle)}
        </ins>
      </span>
    </p>
  )
}

const maxCharacters = 300

/** Formats a value in one line: linked records by name, a long text by its beginning. */
function formatShort(
  name: string,
  property: ShownProperty,
  value: unknown,
  findTitle: FindTitle,
): string {
  if (isEmpty(value)) return 'empty'
  if (isObjectList(property))
    return formatCount(Array.isArray(value) ? value.length : 1, 'entry', 'entries')
  const reference = references.find(({ from, path }) => from === name && path === property.name)
  const text = reference
    ? listIds(value)
        .map((id) => findTitle(reference.to, id)?.title ?? 'a record that is gone')
        .join(', ')
    : formatValue(value, property)
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}

const listIds = (value: unknown) => [value].flat().map(String)

type UndoProps = Omit<ChangeProps, 'findTitle'> & { id: string; findTitle: FindTitle }

/** Renders the button that undoes a change: a merge by restoring the person who was deleted. */
function UndoButton({ c, collection, id, change, findTitle }: UndoProps) {
  const { name } = collection
  const { merged, canBeUndone, differences } = change
  if (merged?.canBeRestored) {
    const title = findTitle(name, merged.id)?.title ?? ''
    return (
      <ActionButton
        action={`${recordPath(c, name, merged.id)}/restore`}
        label="Undo"
        target={`the merge with ${title}`}
        class="button"
      />
    )
  }
  if (!canBeUndone) return null
  return (
    <ActionButton
      action={`${recordPath(c, name, id)}/undo`}
      hidden={{ version: change.version }}
      label="Undo"
      target={`the change of ${differences.map(({ property }) => property.label).join(', ')}`}
      class="button"
    />
  )
}
