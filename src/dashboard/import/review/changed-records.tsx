import type { TableImportResult } from '../../../import/report/import-result.ts'
import { isStoredAsText } from '../../../model/value-types.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import type { CollectionInfo, ShownProperty } from '../../collection/collection-info.ts'
import { formatValue } from '../../ui/format-value.ts'
import { Icon } from '../../ui/icon.tsx'
import { recordPath } from '../../ui/paths.ts'
import type { PreparedImport } from './prepare-import.ts'
import { formatChange } from './row-answers-form.ts'

const maxOpen = 10
/** The maximum number of changes with a checkbox: a form has at most 1,000 fields. */
const maxChoosable = 150

type ChangedProps = {
  prepared: PreparedImport
  collection: CollectionInfo
  result: TableImportResult
}

type Change = {
  id: string
  name: string
  line: number
  field: string
  before: string
  after: string
}

/** Renders the records that will change, each value with its old and its new text. */
export function ChangedRecords({
  prepared: { opened, noun },
  collection,
  result: { changed, updated },
}: ChangedProps) {
  if (changed.length === 0) return null
  const derived = new Set(
    collection.properties.filter(({ isDerived }) => isDerived).map(({ name }) => name),
  )
  const changes = changed.flatMap(({ id, name, line, fields }): Change[] =>
    fields
      .filter(({ field }) => !derived.has(field))
      .map((field) => ({ id, name, line, ...field })),
  )
  const shownChanges = changes
    .slice(0, maxChoosable)
    .map(({ line, field }) => formatChange(line, field))
  const render = (change: Change, index: number) => (
    <ChangeLine
      change={change}
      href={recordPath(opened.c, collection.name, change.id)}
      property={collection.properties.find(({ name }) => name === change.field)}
      isChoosable={index < maxChoosable}
    />
  )
  const omitted = updated - changed.length
  return (
    <section class="section">
      <h2>
        {noun.changing}{' '}
        <small>
          {formatCount(updated, noun.one, noun.many)}
          {omitted === 0 && `, ${formatCount(changes.length, 'value')}`}
        </small>
      </h2>
      <input type="hidden" name="shownChanges" value={JSON.stringify(shownChanges)} />
      <ul class="stack changes">{changes.slice(0, maxOpen).map(render)}</ul>
      {changes.length > maxOpen && (
        <details class="fold">
          <summary>{formatCount(changes.length - maxOpen, 'more value')}</summary>
          <ul class="stack changes">
            {changes.slice(maxOpen).map((change, index) => render(change, index + maxOpen))}
          </ul>
        </details>
      )}
      {omitted > 0 && (
        <p class="quiet">
          {formatCount(omitted, 'more record')} will change. Import part of the file to see each
          one.
        </p>
      )}
    </section>
  )
}

type ChangeLineProps = {
  change: Change
  href: string
  property: ShownProperty | undefined
  isChoosable: boolean
}

function ChangeLine({ change, href, property, isChoosable }: ChangeLineProps) {
  const { name, id, line, field, before, after } = change
  const label = property?.label ?? field
  return (
    <li>
      <a href={href}>{name || id}</a>
      <span class="quiet">{label}</span>
      <span class="change">
        <del>
          <span class="visually-hidden">From </span>
          {showText(before, property) || 'Empty'}
        </del>{' '}
        <Icon name="right" class="icon inline" />{' '}
        <ins>
          <span class="visually-hidden">to </span>
          {showText(after, property) || 'Empty'}
        </ins>
      </span>
      {isChoosable && (
        <label class="choice">
          <input type="checkbox" name="change" value={formatChange(line, field)} checked />
          <span class="visually-hidden">
            Change {label} of {name || id}
          </span>
        </label>
      )}
    </li>
  )
}

/** The text of a changed value in words. Values other than texts arrive as JSON. */
function showText(text: string, property: ShownProperty | undefined): string {
  if (!property || text === '') return text
  try {
    return formatValue(isStoredAsText(property) ? text : JSON.parse(text), property)
  } catch {
    // A long value is cut.
    return text
  }
}
