const formats = {
  time: new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/London',
  }),
  date: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }),
}

type TimeProps = { value: string | null; kind?: keyof typeof formats }

/** A time in UK time, or a date. Shows an invalid value unchanged, and a dash for none. */
export function Time({ value, kind = 'time' }: TimeProps) {
  if (value === null) return <>–</>
  const time = Date.parse(value)
  return <time datetime={value}>{Number.isNaN(time) ? value : formats[kind].format(time)}</time>
}
