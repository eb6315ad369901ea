import fc from 'fast-check'
import { onTestFinished, vi } from 'vitest'

const hour = 3_600_000

/** How far a clock jumps before a write: not at all, within a millisecond, or by as much as a wrong one does. */
export const jump = fc.constantFrom(0, 0, 1, -1, 1000, -1000, hour, -hour, 30 * hour, -30 * hour)

/** Stops the clock of the writes until the test ends, and returns a function that moves it. */
export function holdWriteClock(): (milliseconds: number) => void {
  let now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
  return (milliseconds) => {
    now += milliseconds
    vi.setSystemTime(now)
  }
}
