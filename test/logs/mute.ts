import { onTestFinished, vi } from 'vitest'

/** Hides the lines that the current test causes on purpose, and returns the spy. */
export function muteLog(method: 'error' | 'warn' = 'error') {
  const spy = vi.spyOn(console, method).mockImplementation(() => {})
  onTestFinished(() => spy.mockRestore())
  return spy
}
