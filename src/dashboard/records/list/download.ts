import type { Context } from 'hono'
import { respondWithTable } from '../../../formats/table-file.ts'
import { type Cell, maxSheetRows } from '../../../formats/xlsx.ts'
import { valueAt } from '../../../model/json.ts'
import { readCountedPage, readPages } from '../../../resources/routes/list-source.ts'
import { recordDownload } from '../../../store/audit-log.ts'
import type {
  CollectionInfo,
  ShownProperty,
  ShownValues,
} from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { formatValue } from '../../ui/format-value.ts'
import { isEmpty } from '../../ui/value.tsx'
import { valueKinds } from '../../ui/value-kinds.ts'
import { type LinkedTitles, loadLinkedTitles } from './linked-titles.ts'
import { readView } from './load-list.ts'
import { buildOptions, loadAttendance } from './read-list.ts'

/**
 * Streams the records of a view, or those with some ids, as a file with the labels and values that people read. Each page is
 * read on demand, with a check of access; an error on the first page has its own status.
 */
export async function downloadList(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  format: 'csv' | 'xlsx',
  ids?: readonly string[],
): Promise<Response> {
  const view = await readView(c, collection)
  const { name, label, list } = collection
  const columns = view.columns.flatMap(
    (column) => collection.properties.find((property) => property.name === column) ?? [],
  )
  const options = {
    ...(await buildOptions(c, collection, view)),
    ...(ids && {
      filter: {
        name: collection.id,
        literals: ids.map((value) => ({ type: 'text', value }) as const),
      },
    }),
  }
  const { first, following } = await readPages(
    (query, known) => readCountedPage(c.var.store, list, query, known),
    { limit: maxSheetRows, offset: 0, filters: [], options },
  )
  await recordDownload(c.var.store, name, format === 'csv' ? 'CSV' : 'Excel')
  const headings = columns.map(({ label }) => label)
  const rows = readRows()
  return respondWithTable(c, { format, name, label, headings, rows })

  async function* readRows(): AsyncGenerator<Cell[][], void> {
    yield await toRows(first.documents())
    for await (const page of following) yield await toRows(page.documents())
  }

  async function toRows(documents: readonly string[]): Promise<Cell[][]> {
    const records = documents.map((document): ShownValues => JSON.parse(document))
    const titles = await loadLinkedTitles(c, collection, view.columns, records)
    const attendance = await loadAttendance(c, collection, view.columns, records)
    return records.map((values) =>
      columns.map((column) => {
        const id = String(values[collection.id])
        const known = column.name === 'attending' ? attendance.get(id) : undefined
        return known === undefined
          ? toCell(values, column, titles)
          : { type: 'text' as const, text: known }
      }),
    )
  }
}

/** A value as a cell: numbers and dates keep their type. */
function toCell(values: ShownValues, property: ShownProperty, linked: LinkedTitles): Cell {
  const value = valueAt(values, property.path)
  const { type, format } = property
  const titles = linked.get(property.name)?.titles
  if (titles) {
    const names = [value].flat().flatMap((id) => titles.get(String(id)) ?? [])
    return { type: 'text', text: names.join(', ') }
  }
  if (isEmpty(value)) return { type: 'text', text: '' }
  const isPounds = format === 'money' && ['', 'GBP'].includes(String(values.currency ?? ''))
  if (isPounds && typeof value === 'number') return { type: 'money', value }
  return valueKinds[type].cell(value) ?? { type: 'text', text: formatValue(value, property) }
}
