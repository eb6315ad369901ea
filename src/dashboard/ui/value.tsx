import { formatNumber } from '../../platform/format-number.ts'

const formatOptions = {
  time: { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/London' },
  date: { dateStyle: 'medium', timeZone: 'UTC' },
} as const

type DateType = keyof typeof formatOptions

const formats = new Map<DateType, Intl.DateTimeFormat>()

/** Returns the format of a type. Created on first use, because `Intl` takes time to load its data. */
function formatFor(type: DateType): Intl.DateTimeFormat {
  const format = formats.get(type) ?? new Intl.DateTimeFormat('en-GB', formatOptions[type])
  formats.set(type, format)
  return format
}

type TimeProps = { value: string | null; type?: DateType }

/** Renders a date, or a time in UK time. Shows an invalid value unchanged, and a dash for null. */
export function Time({ value, type = 'time' }: TimeProps) {
  if (value === null) return <>–</>
  const time = Date.parse(value)
  return <time datetime={value}>{Number.isNaN(time) ? value : formatFor(type).format(time)}</time>
}

/** Renders a value: dates in words, times in UK time, lists as tags, and a dash for an empty value. */
export function Value({ value, type }: { value: unknown; type: string }) {
  if (isEmpty(value)) return <span class="small">–</span>
  if (Array.isArray(value)) return <ValueList values={value} />
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>
  if (typeof value === 'number') return <>{formatNumber(value)}</>
  if (typeof value === 'object') return <code>{JSON.stringify(value)}</code>
  const text = String(value)
  if (type === 'time' || type === 'date') return <Time value={text} type={type} />
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

/** Returns whether a value is missing or an empty text. */
export const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
