import { Time } from '../ui/time.tsx'
import type { PropertyKind } from './properties.ts'

/** Shows a value: dates in words, times in UK time, lists as tags, a dash for none. */
export function Value({ value, kind }: { value: unknown; kind: PropertyKind }) {
  if (isEmpty(value)) return <span class="small">–</span>
  if (Array.isArray(value)) return <ValueList values={value} />
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>
  if (typeof value === 'number') return <>{value.toLocaleString('en-GB')}</>
  if (typeof value === 'object') return <code>{JSON.stringify(value)}</code>
  const text = String(value)
  if (kind === 'time' || kind === 'date') return <Time value={text} kind={kind} />
  return <>{text}</>
}

function ValueList({ values }: { values: readonly unknown[] }) {
  if (values.length === 0) return <span class="small">–</span>
  if (values.some((value) => typeof value === 'object')) {
    return (
      <details>
        <summary>{values.length} entries</summary>
        <pre>{JSON.stringify(values, null, 2)}</pre>
      </details>
    )
  }
  return (
    <>
      {values.map((value) => (
        <span class="tag">{String(value)}</span>
      ))}
    </>
  )
}

/** Whether a value is missing or an empty text. */
export const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
