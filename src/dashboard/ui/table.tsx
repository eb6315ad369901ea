import type { Child } from 'hono/jsx'
import { ScrollRegion } from './page.tsx'

type TableProps = {
  label: string
  /** The heading of the row headers, then those of the cells. Columns of numbers are right-aligned. */
  firstHeading: string
  headings: readonly { text: string; isNumber?: boolean }[]
  rows: readonly { rowHeader: Child; cells: readonly Child[] }[]
  /** Whether rows become cards on a phone. */
  isStacked?: boolean
}

/** A table with a header in each row. */
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

/** Headings for columns of numbers. */
export const numberHeadings = (...texts: string[]) =>
  texts.map((text) => ({ text, isNumber: true }))
