import type { Context } from 'hono'
import { raw } from 'hono/html'
import { valueAt } from '../../../model/json.ts'
import { escapeHtml } from '../../../platform/escape-html.ts'
import type {
  CollectionInfo,
  ShownProperty,
  ShownValues,
} from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { formatValue } from '../../ui/format-value.ts'
import { Icon } from '../../ui/icon.tsx'
import { recordPath } from '../../ui/paths.ts'
import { isEmpty, isNumeric, valueHtml } from '../../ui/value.tsx'
import { valueKinds } from '../../ui/value-kinds.ts'
import type { LinkedTitles } from './linked-titles.ts'
import type { AttendanceWords } from './read-list.ts'
import { formatListView, isSortable, type ListView } from './view.ts'

type TableProps = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  view: ListView
  caption: string
  records: readonly ShownValues[]
  titles: LinkedTitles
  attendance: AttendanceWords
}

const maxCharacters = 60

/** Renders the records of a list: a checkbox, the first column as a link, and sortable headings. */
export function ListTable(props: TableProps) {
  const { c, collection, view, caption, records, titles, attendance } = props
  const columns = view.columns.flatMap(
    (column) => collection.properties.find(({ name }) => name === column) ?? [],
  )
  const [first, ...others] = columns
  return (
    <div class="scroll">
      <table class="list">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <td>
              <label class="tick" hidden>
                <input type="checkbox" data-select-rows />
                <span class="visually-hidden">Select all on this page</span>
              </label>
            </td>
            {columns.map((property) => (
              <Heading collection={collection} view={view} property={property} />
            ))}
          </tr>
        </thead>
        <tbody>{raw(records.map((values) => rowHtml(values)).join(''))}</tbody>
      </table>
    </div>
  )

  function rowHtml(values: ShownValues): string {
    const id = String(values[collection.id])
    const title = escapeHtml(first ? cellText(values, first, titles) : '')
    const cells = others.map((property) => {
      const known = property.name === 'attending' ? attendance.get(id) : undefined
      const value = known ?? cellHtml(c, property, values, titles)
      return isNumeric(property) ? `<td class="number">${value}</td>` : `<td>${value}</td>`
    })
    return `<tr><td><label class="tick"><input type="checkbox" name="id" value="${escapeHtml(id)}"/><span class="visually-hidden">Select ${title}</span></label></td><th scope="row">${link(recordPath(c, collection.name, id), title)}</th>${cells.join('')}</tr>`
  }
}

const link = (href: string, content: string) => `<a href="${escapeHtml(href)}">${content}</a>`

function Heading({
  collection,
  view,
  property,
}: Pick<TableProps, 'collection' | 'view'> & { property: ShownProperty }) {
  const { name, label } = property
  const order = view.order?.name === name ? view.order : undefined
  const changed = { name, isDescending: order ? !order.isDescending : startsDescending(property) }
  return (
    <th
      scope="col"
      class={isNumeric(property) ? 'number' : undefined}
      aria-sort={order && (order.isDescending ? 'descending' : 'ascending')}
    >
      {isSortable(property) ? (
        <a href={formatListView(view, collection, { order: changed })}>
          {label}
          {order && <Icon name={order.isDescending ? 'desc' : 'asc'} />}
        </a>
      ) : (
        label
      )}
    </th>
  )
}

/** A cell's content as HTML: a value, or links to the records that it refers to. */
function cellHtml(
  c: Context<DashboardEnv>,
  property: ShownProperty,
  values: ShownValues,
  linked: LinkedTitles,
): string {
  const value = valueAt(values, property.path)
  const { to, titles } = linked.get(property.name) ?? {}
  if (!to) {
    const isLong = typeof value === 'string' && value.length > maxCharacters
    const currency = property.format === 'money' ? String(values.currency ?? '') : undefined
    return valueHtml(isLong ? shorten(value) : value, property, currency)
  }
  const links = [value].flat().flatMap((id) => {
    const title = titles?.get(String(id))
    return title === undefined ? [] : [link(recordPath(c, to, String(id)), escapeHtml(title))]
  })
  return links.length === 0 ? valueHtml(null, property) : links.join(', ')
}

/** The text of a row's first column, by which people recognise the record. */
function cellText(values: ShownValues, property: ShownProperty, titles: LinkedTitles): string {
  const value = valueAt(values, property.path)
  const title = titles.get(property.name)?.titles.get(String(value))
  const text = title ?? (isEmpty(value) ? '' : formatValue(value, property))
  return text === '' ? `No ${property.label.toLowerCase()}` : shorten(text)
}

const startsDescending = ({ type }: ShownProperty) => valueKinds[type].isNewestFirst === true

const shorten = (text: string) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters).trimEnd()}…` : text
