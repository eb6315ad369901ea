import { BoundedMap } from './bounded-map.ts'

/** The UTC timestamp of a local time; `unclear` if a clock change skips or repeats that time. */
type Instant = { utc: string } | { unclear: 'skipped' } | { unclear: 'twice'; first: string }

const hour = 60 * 60 * 1000
const day = 24 * hour

/** Whether a time zone exists, such as Europe/London. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Z]/.test(name)
  } catch {
    return false
  }
}

/** A time zone that converts between its local time and UTC. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new BoundedMap<number, number>(10_000)

  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  }

  /** The instant of a local day (`YYYY-MM-DD`) and time (`HH:mm:ss.sss`). */
  instant(date: string, time: string): Instant {
    const local = Date.parse(`${date}T${time}Z`)
    const offsets = new Set([this.#offset(local - day), this.#offset(local + day)])
    const instants = [...offsets]
      .map((offset) => local - offset)
      .filter((instant) => this.#offset(instant) === local - instant)
    const [first] = instants
    if (first === undefined) return { unclear: 'skipped' }
    const utc = new Date(first).toISOString()
    return instants.length > 1 ? { unclear: 'twice', first: utc } : { utc }
  }

  /** The local time of an instant, as `YYYY-MM-DDTHH:mm:ss.sss`. */
  local(utc: number): string {
    return new Date(utc + this.#offset(utc)).toISOString().slice(0, -1)
  }

  /** The offset from UTC at an instant, in milliseconds. It is constant within a quarter of an hour. */
  #offset(at: number): number {
    const quarter = Math.floor(at / (hour / 4))
    const cached = this.#offsets.get(quarter)
    if (cached !== undefined) return cached
    const start = (quarter * hour) / 4
    const parts = Object.fromEntries(
      this.#format.formatToParts(start).map(({ type, value }) => [type, Number(value)]),
    )
    const { year = 0, month = 1, day = 1, hour: hours = 0, minute = 0, second = 0 } = parts
    // Date.UTC reads years below 100 as 1900 and later.
    const local = new Date(Date.UTC(2000, month - 1, day, hours, minute, second))
    const offset = local.setUTCFullYear(year, month - 1, day) - start
    this.#offsets.set(quarter, offset)
    return offset
  }
}
