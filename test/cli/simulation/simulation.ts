import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { vi } from 'vitest'
import { errorOfD1 } from '../../faults/d1-error.ts'
import { isLoggedFault } from './faults.ts'
import { Random } from './random.ts'

/** How often, from 0 to 1, a call fails, loses its reply, is slow, or is the last of its Worker. */
export type FaultRates = { fails: number; losesReply: number; isSlow: number; ends: number }

export const calm: FaultRates = { fails: 0, losesReply: 0, isSlow: 0, ends: 0 }

type Event = { at: number; act: () => void }

const start = Date.parse('2026-03-02T09:00:00.000Z')
const usualLatencyMs = 20
// Longer than every timeout of the service: such a call runs when nobody waits for it any more.
const maxLatencyMs = 60_000

const failures = [
  'Network connection lost.',
  'D1 DB is overloaded. Requests queued for too long.',
  'D1 DB storage operation exceeded timeout which caused object to be reset.',
] as const

/** The simulation to which the running code belongs. */
const current = new AsyncLocalStorage<Simulation>()

/**
 * A world with one source of random values. It decides when a call runs, when its reply arrives and whether it fails, and
 * it gives the service all random values. The clock jumps from event to event. The same seed repeats a history exactly, so
 * nothing in it may wait for the clock, the threads or the network of the machine.
 */
export class Simulation {
  readonly random: Random
  #now = start
  #rates = calm
  #events: Event[] = []
  #order = 0
  #error: { cause: unknown } | undefined
  readonly #lines: string[] | undefined
  #threads = 0
  #lastThread: Promise<unknown> = Promise.resolve()

  /** `lines` receives what happens. */
  constructor(seed: number, lines?: string[]) {
    this.random = new Random(seed)
    this.#lines = lines
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#now

  /** The next place in the order of all moments. */
  readonly nextMoment = (): number => this.#order++

  setRates(rates: FaultRates): void {
    this.#rates = rates
  }

  /** Whether a fault happens now. */
  happens(fault: keyof FaultRates): boolean {
    return this.random.chance(this.#rates[fault])
  }

  /** Ends the history with an error. */
  readonly fail = (error: unknown): void => {
    this.#error ??= { cause: error }
  }

  /** Adds a line to the history, with a digest of the details. */
  note(line: string, details: unknown = ''): void {
    if (!this.#lines) return
    const seconds = ((this.#now - start) / 1000).toFixed(3)
    const digest = createHash('sha256').update(JSON.stringify(details)).digest('hex').slice(0, 8)
    this.#lines.push(`${seconds} ${digest} ${line}`)
  }

  /** Does something after a time. Returns a function that cancels it. */
  after(milliseconds: number, act: () => void): () => void {
    const event = { at: this.#now + Math.max(0, milliseconds), act }
    const index = this.#events.findLastIndex(({ at }) => at <= event.at)
    this.#events.splice(index + 1, 0, event)
    return () => {
      this.#events = this.#events.filter((other) => other !== event)
    }
  }

  readonly pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => this.after(milliseconds, resolve))

  /** Makes a call of a binding. It may be late, fail, or lose its reply. */
  async call<Reply>(name: string, make: () => Promise<Reply>): Promise<Reply> {
    await this.pause(this.#latency())
    if (this.happens('fails')) throw this.#failure(name, 'failed')
    const reply = await make()
    await this.pause(this.#latency())
    if (this.happens('losesReply')) throw this.#failure(name, 'lost its reply')
    return reply
  }

  /** Runs the world until `work` has ended. Throws if it can never end. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let hasEnded = false
    const settled = work.finally(() => {
      hasEnded = true
    })
    settled.catch(() => {})
    for (await this.#settle(); !hasEnded; await this.#settle()) {
      const event = this.#events.shift()
      if (!event) throw new Error('The history waits for something that never comes.')
      if (event.at > this.#now) {
        this.#now = event.at
        vi.setSystemTime(event.at)
      }
      event.act()
      if (this.#error) throw this.#error.cause
    }
    return settled
  }

  /** Waits for all events, including calls after their timeout. */
  async end(): Promise<void> {
    for (let last = this.#events.at(-1); last; last = this.#events.at(-1))
      await this.pause(last.at - this.#now)
  }

  /**
   * Replaces the clock, the timers and all random values by those of the simulation. Connections of other test files,
   * which may still be open in this process, keep the timers of Node.
   */
  install(): void {
    current.enterWith(this)
    vi.useFakeTimers({ toFake: ['Date'], now: this.#now })
    const { setTimeout, clearTimeout } = globalThis
    const cancellations = new Map<unknown, () => void>()
    vi.stubGlobal('setTimeout', (act: () => void, milliseconds = 0) => {
      if (current.getStore() !== this) return setTimeout(act, milliseconds)
      const id = this.#order++
      cancellations.set(id, this.after(milliseconds, act))
      return id
    })
    vi.stubGlobal('clearTimeout', (id: ReturnType<typeof setTimeout>) => {
      const cancel = cancellations.get(id)
      if (cancel) cancel()
      else clearTimeout(id)
    })
    vi.spyOn(Math, 'random').mockImplementation(() => this.random.fraction())
    vi.stubGlobal('crypto', this.#crypto())
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation((line: string) => {
      if (!isLoggedFault(line)) this.fail(new Error(`The service has logged a mistake: ${line}`))
    })
  }

  /** Restores what `install` has replaced. */
  uninstall(): void {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }

  #latency(): number {
    return this.random.integer(0, this.happens('isSlow') ? maxLatencyMs : usualLatencyMs)
  }

  #failure(name: string, manner: string): Error {
    this.note(`${name} ${manner}`)
    return errorOfD1(this.random.pick(failures))
  }

  /** WebCrypto with the simulation's random values. */
  #crypto(): Crypto {
    const { random } = this
    const { subtle } = crypto
    const fill = <View extends ArrayBufferView<ArrayBuffer>>(view: View): View => {
      new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(
        random.bytes(view.byteLength),
      )
      return view
    }
    const randomUUID = () => {
      const hex = Buffer.from(random.bytes(16)).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
    }
    const inOrder = new Proxy(subtle, {
      get: (_, name) => {
        const method: unknown = Reflect.get(subtle, name)
        return typeof method === 'function'
          ? (...parameters: unknown[]) => this.#inThread(() => method.apply(subtle, parameters))
          : method
      },
    })
    return { getRandomValues: fill, randomUUID, subtle: inOrder } as Crypto
  }

  /** Runs an operation that Node does in a thread. Results arrive in the order of the calls, one in each turn of the event loop. */
  #inThread<Result>(begin: () => Promise<Result>): Promise<Result> {
    this.#threads++
    const running = begin()
    running.catch(() => {})
    const turn = this.#lastThread.then(() => running.catch(() => {})).then(nextTurn)
    this.#lastThread = turn
    return turn.then(() => {
      this.#threads--
      return running
    })
  }

  /** Waits until everything waits for an event. */
  async #settle(): Promise<void> {
    do await nextTurn()
    while (this.#threads > 0)
  }
}

const { setImmediate } = globalThis
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
