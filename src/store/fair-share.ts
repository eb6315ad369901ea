import { ApiError } from '../model/api-error.ts'
import type { Settings } from '../platform/bindings.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { type Limit, parseLimit, type Remainder } from '../platform/rate-limit-policy.ts'

/** The maximum number of an organisation's requests that run statements at once in an isolate. */
const maxRunning = 32

/** The maximum number of an organisation's statements that wait. */
const maxWaiting = 1000
/** The number of average statements that the share must still afford for each running request. */
const reserve = 5
/** The time after which a request is refused rather than waits. */
const maxWaitMs = 10_000
/** The time after which a request no longer counts as running statements: a cancelled request never finishes its own. */
const maxRunMs = 2000
/** The delay after which a waiting statement loses its turn: its request was probably cancelled. */
const maxDelayMs = 1000
/** The minimum pause of a waiting statement before it tries again. Each earlier statement adds as much. */
const pauseMs = 5
/** The minimum `Retry-After` of a refused request. */
const minRetryMs = 5000
/** The number of rows that count as one unit of the location's rate limit. */
export const rowsPerUnit = 50_000
/** The time for which an isolate refuses requests after the location has no units left. */
const refusalMs = 10_000

/** The minimum number of rows that an otherwise idle database reads in a millisecond. */
const rowsPerMs = 400

/** A statement that waits: the number of its arrival, and the time at which it tries next. */
type Turn = { isFirst: boolean; number: number; next: number }

/** A request, and whether it has run a statement. */
type Caller = { readonly hasBegun: boolean }

type Clock = { now(): number; sleep(ms: number): Promise<unknown> }

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/**
 * The part of a database that an organisation may use in an isolate, so that its expensive queries do
 * not delay other organisations. The rows that its statements read are charged afterwards, and
 * the share refills at a constant rate: while it is used up, statements wait, and the more rows
 * they usually read, the fewer run at once. A request that waits too long is refused, but only
 * before its first statement: a download or an import waits between its pages.
 *
 * Each waiting statement tries again by a timer of its request: the runtime takes a request that
 * only another one can resume for hung, and never finishes the statements of a cancelled one.
 */
export class FairShare {
  readonly #limit: Limit
  readonly #takeUnit: () => Promise<boolean>
  readonly #clock: Clock
  #left: number
  #refilled: number
  #uncounted = 0
  /** The mean of the rows that were charged recently; a guess at first. */
  #meanRows = 20_000
  #refusedUntil = 0
  #arrived = 0
  /** The requests that run statements, with the time of their last start. */
  readonly #running = new Map<Caller, { statements: number; start: number }>()
  readonly #waiting = new Set<Turn>()

  /** `takeUnit` counts `rowsPerUnit` rows in the location, and returns whether more are allowed. */
  constructor(limit: Limit, takeUnit: () => Promise<boolean>, clock = realClock) {
    this.#limit = limit
    this.#takeUnit = takeUnit
    this.#clock = clock
    this.#left = limit.max
    this.#refilled = clock.now()
  }

  /** The rows that may be read at once. */
  get remainder(): Remainder {
    this.#refill()
    const { max, seconds } = this.#limit
    const missing = max - this.#left
    return {
      left: Math.max(0, Math.floor(this.#left)),
      seconds: Math.ceil((missing * seconds) / max),
    }
  }

  /**
   * Runs a statement, when it is its turn. Throws 429 if the share is used up for too long, unless
   * the caller has started.
   */
  async run<Result>(statement: () => Promise<Result>, caller: Caller): Promise<Result> {
    const isFree = this.#waiting.size === 0 || this.#running.has(caller)
    if (!isFree || !this.#mayStart(caller)) await this.#wait(caller)
    const { statements = 0 } = this.#running.get(caller) ?? {}
    this.#running.set(caller, { statements: statements + 1, start: this.#clock.now() })
    try {
      return await statement()
    } finally {
      const running = this.#running.get(caller)
      if (running && --running.statements === 0) this.#running.delete(caller)
    }
  }

  /** Charges the rows that a statement has read. */
  async charge(rows: number): Promise<void> {
    this.#refill()
    this.#left -= rows
    this.#uncounted += rows
    this.#meanRows = Math.max(1, this.#meanRows + (rows - this.#meanRows) / 8)
    const units = Math.floor(this.#uncounted / rowsPerUnit)
    if (units === 0) return
    this.#uncounted -= units * rowsPerUnit
    const taken = await Promise.all(Array.from({ length: units }, () => this.#takeUnit()))
    if (taken.includes(false)) this.#refusedUntil = this.#clock.now() + refusalMs
  }

  async #wait(caller: Caller): Promise<void> {
    const isFirst = !caller.hasBegun
    const arrival = this.#clock.now()
    const turn: Turn = { isFirst, number: this.#arrived++, next: arrival }
    for (const other of this.#waiting) if (!this.#isAlive(other)) this.#waiting.delete(other)
    if (isFirst && this.#waiting.size >= maxWaiting) throw this.#refuse()
    this.#waiting.add(turn)
    try {
      for (;;) {
        const before = this.#countBefore(turn)
        if (before === 0 && this.#mayStart(caller)) return
        const now = this.#clock.now()
        const waitMs = this.#waitMs()
        const isTooLate = now < this.#refusedUntil || now + waitMs >= arrival + maxWaitMs
        if (isFirst && isTooLate) throw this.#refuse()
        const pause = Math.min(maxDelayMs, Math.max(pauseMs, waitMs) + pauseMs * before)
        turn.next = now + pause
        await this.#clock.sleep(pause)
      }
    } finally {
      this.#waiting.delete(turn)
    }
  }

  #mayStart(caller: Caller): boolean {
    if (this.#waitMs() > 0) return false
    if (this.#running.has(caller)) return true
    const now = this.#clock.now()
    for (const [running, { start }] of this.#running)
      if (now > start + maxRunMs) this.#running.delete(running)
    const affordable = Math.floor(this.#left / (reserve * this.#meanRows))
    return this.#running.size < Math.max(1, Math.min(maxRunning, affordable))
  }

  /** The number of statements with an earlier turn. Statements of started requests come first. */
  #countBefore({ isFirst, number }: Turn): number {
    let before = 0
    for (const other of this.#waiting) {
      const isEarlier = other.isFirst === isFirst ? other.number < number : isFirst
      if (isEarlier && this.#isAlive(other)) before++
    }
    return before
  }

  #isAlive({ next }: Turn): boolean {
    return this.#clock.now() <= next + maxDelayMs
  }

  /** The time until rows are left, in milliseconds. */
  #waitMs(): number {
    this.#refill()
    const { max, seconds } = this.#limit
    const debtMs = this.#left > 0 ? 0 : Math.ceil((1 - this.#left) * ((1000 * seconds) / max))
    return Math.max(debtMs, this.#refusedUntil - this.#clock.now())
  }

  #refill(): void {
    const now = this.#clock.now()
    const { max, seconds } = this.#limit
    const elapsedMs = now - this.#refilled
    this.#refilled = now
    if (elapsedMs < 0) {
      // The clock was set back, and nobody waits for it to catch up.
      this.#refusedUntil += elapsedMs
      return
    }
    this.#left = Math.min(max, this.#left + (elapsedMs * max) / (1000 * seconds))
  }

  #refuse(): ApiError {
    const seconds = Math.ceil(Math.max(minRetryMs, this.#waitMs()) / 1000)
    return new ApiError(
      'RATE_LIMITED',
      `The queries of this organisation have read more rows than its share of the database; try again in ${seconds} seconds.`,
      { 'Retry-After': String(seconds) },
    )
  }
}

/** The statements of one request in the share of its organisation. Only the first can be refused. */
export class RequestShare {
  readonly #share: FairShare
  hasBegun = false
  #uncharged = 0

  constructor(share: FairShare) {
    this.#share = share
  }

  get remainder(): Remainder {
    return this.#share.remainder
  }

  /** Counts a statement's rows, or more if it took long for so few. `run` charges them. */
  count(rowsRead: number, durationMs: number): void {
    this.#uncharged += Math.max(rowsRead, durationMs * rowsPerMs)
  }

  /** Runs a statement like `FairShare.run`. */
  async run<Result>(statement: () => Promise<Result>): Promise<Result> {
    const result = await this.#share.run(statement, this)
    this.hasBegun = true
    const rows = this.#uncharged
    this.#uncharged = 0
    await this.#share.charge(rows)
    return result
  }
}

const shares = new BoundedMap<string, FairShare>(10_000)

/** The share of a request in that of its organisation in this isolate; undefined if RATE_LIMIT_POLICY has no limit of rows. */
export function openShare(env: Settings, organisationId: string): RequestShare | undefined {
  const open = shares.get(organisationId) ?? createShare(env, organisationId)
  if (!open) return undefined
  shares.set(organisationId, open)
  return new RequestShare(open)
}

function createShare(
  { RATE_LIMIT_POLICY, LIMIT_ROWS_BY_ORGANISATION }: Settings,
  organisationId: string,
): FairShare | undefined {
  const limit = parseLimit(RATE_LIMIT_POLICY, 'rows')
  return (
    limit &&
    new FairShare(limit, async () => {
      const { success } = await LIMIT_ROWS_BY_ORGANISATION.limit({ key: organisationId })
      return success
    })
  )
}
