const parts = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})

/** A timestamp as a form has it, in the time of the United Kingdom: `YYYY-MM-DDTHH:mm`; '' for none. */
export function toLondon(timestamp: string): string {
  const at = Date.parse(timestamp)
  if (Number.isNaN(at)) return ''
  const {
    year = '',
    month,
    day,
    hour,
    minute,
  } = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`
}

/** The timestamp of a time in the United Kingdom; of one that comes twice as clocks go back, the first. Undefined when there is no such time. */
export function fromLondon(local: string): string | undefined {
  const at = Date.parse(`${local.slice(0, 16)}Z`)
  if (Number.isNaN(at)) return undefined
  const hour = 3_600_000
  const found = [at - hour, at].find(
    (time) => toLondon(new Date(time).toISOString()) === local.slice(0, 16),
  )
  return new Date(found ?? at).toISOString()
}
