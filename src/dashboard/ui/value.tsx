const formats = {
  time: new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/London',
  }),
  date: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }),
}

type TimeProps = { value: string | null; type?: keyof typeof formats }

/** Renders a date, or a time in UK time. Shows an invalid value unchanged, and a dash for null. */
export function Time({ value, type = 'time' }: TimeProps) {
  if (value === null) return <>–</>
  const time = Date.parse(value)
  return <time datetime={value}>{Number.isNaN(time) ? value : formats[type].format(time)}</time>
}

/** Renders a value: dates in words, times in UK time, lists as tags, and a dash for an empty value. */
export function Value({ value, type }: { value: unknown; type: string }) {
  if (isEmpty(value)) return <span class="small">–</span>
  if (Array.isArray(value)) return <ValueList values={value} />
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>
  if (typeof value === 'number') return <>{value.toLocaleString('en-GB')}</>
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
