const formats = {
  time: new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/London',
  }),
  date: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }),
}

type TimeProps = { at: string | null; kind?: keyof typeof formats }

/** A time as people read it, in the time of the United Kingdom, or a date; as it is where it is neither; a dash for none. */
export function Time({ at, kind = 'time' }: TimeProps) {
  if (at === null) return <>–</>
  const time = Date.parse(at)
  return <time datetime={at}>{Number.isNaN(time) ? at : formats[kind].format(time)}</time>
}
