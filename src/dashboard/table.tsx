import type { Child } from 'hono/jsx'
import { Wide } from './page.tsx'

type TableProps = {
  label: string
  /** The heading of what leads each row, and those of the cells; numbers stand to the right. */
  lead: string
  headings: readonly { text: string; isNumber?: boolean }[]
  rows: readonly { lead: Child; cells: readonly Child[] }[]
  /** Whether its rows become cards on a phone. */
  stack?: boolean
}

/** A table of which each row is led by what it is of. */
export function Table({ label, lead, headings, rows, stack = false }: TableProps) {
  const side = (place: number) => (headings[place]?.isNumber ? 'number' : undefined)
  return (
    <Wide label={label} stack={stack}>
      <table>
        <thead>
          <tr>
            <th scope="col">{lead}</th>
            {headings.map(({ text }, place) => (
              <th scope="col" class={side(place)}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ lead, cells }) => (
            <tr>
              <th scope="row">{lead}</th>
              {cells.map((cell, place) => (
                <td class={side(place)} data-label={stack ? headings[place]?.text : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

/** Headings of numbers. */
export const numbers = (...texts: string[]) => texts.map((text) => ({ text, isNumber: true }))
