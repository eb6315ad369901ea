import type { Child } from 'hono/jsx'

type TableProps = {
  label: string
  /** The heading of the row headers, and those of the cells. Number columns are right-aligned. */
  firstHeading: string
  headings: readonly { text: string; isNumber?: boolean }[]
  rows: readonly { rowHeader: Child; cells: readonly Child[] }[]
  /** Whether rows appear as cards on a phone. */
  isStacked?: boolean
}

/** Renders a table with a header in each row. */
export function Table({ label, firstHeading, headings, rows, isStacked = false }: TableProps) {
  const cellClass = (index: number) => (headings[index]?.isNumber ? 'number' : undefined)
  return (
    <ScrollRegion label={label} isStacked={isStacked}>
      <table>
        <thead>
          <tr>
            <th scope="col">{firstHeading}</th>
            {headings.map(({ text }, index) => (
              <th scope="col" class={cellClass(index)}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rowHeader, cells }) => (
            <tr>
              <th scope="row">{rowHeader}</th>
              {cells.map((cell, index) => (
                <td
                  class={cellClass(index)}
                  data-label={isStacked ? headings[index]?.text : undefined}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** Returns headings for columns of numbers. */
export const numberHeadings = (...texts: string[]) =>
  texts.map((text) => ({ text, isNumber: true }))

/** Renders a table's header row. */
export function TableHeader({ headings }: { headings: readonly string[] }) {
  return (
    <thead>
      <tr>
        {headings.map((heading) => (
          <th scope="col">{heading}</th>
        ))}
      </tr>
    </thead>
  )
}

type ScrollRegionProps = { label: string; isStacked?: boolean; children: Child }

/** Lets a wide table scroll separately, also with the keyboard. With `isStacked`, rows appear as cards on a phone. */
export function ScrollRegion({ label, isStacked, children }: ScrollRegionProps) {
  return (
    <section class={isStacked ? 'scroll stacked' : 'scroll'} tabindex={0} aria-label={label}>
      {children}
    </section>
  )
}
