import type { Child } from 'hono/jsx'

/** A column of a table: its heading and the content of its cells. */
export type TableColumn<Row> = {
  /** Empty above menus of actions. */
  heading: Child
  cell: (row: Row) => Child
  isRightAligned?: boolean
  isQuiet?: boolean
  /** Whether a phone leaves the column out. */
  isWideOnly?: boolean
}

type TableProps<Row> = {
  label: string
  /** The first column has the row headers. */
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  /** A line above the headings. */
  caption?: Child
  /** Whether rows appear as cards on a phone. */
  isStacked?: boolean
  class?: string
}

/** Renders a table that scrolls separately, also with the keyboard. */
export function DataTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, caption, isStacked = false, class: className } = props
  const [firstColumn, ...otherColumns] = columns
  return (
    <section class={isStacked ? 'scroll stacked' : 'scroll'} tabindex={0} aria-label={label}>
      <table class={className}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) =>
              column.heading ? (
                <th scope="col" class={cellClass({ ...column, isQuiet: false })}>
                  {column.heading}
                </th>
              ) : (
                <td />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">{firstColumn?.cell(row)}</th>
              {otherColumns.map((column) => (
                <td class={cellClass(column)} data-label={isStacked ? column.heading : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function cellClass({
  isRightAligned,
  isQuiet,
  isWideOnly,
}: Pick<TableColumn<unknown>, 'isRightAligned' | 'isQuiet' | 'isWideOnly'>) {
  const classes = [
    isRightAligned ? 'number' : [],
    isQuiet ? 'quiet' : [],
    isWideOnly ? 'wide-only' : [],
  ].flat()
  return classes.length > 0 ? classes.join(' ') : undefined
}
