import { inspect } from 'node:util'
import { app } from '../../src/app.ts'
import { sensitiveTextsOfRequest } from './leaks.ts'

/** The console output and the sensitive texts of requests since the last `takeRecorded`. */
const recorded = { lines: [] as string[], said: new Set<string>() }

/** Returns the recorded lines and texts, and clears them. */
export function takeRecorded(): { lines: string[]; said: Set<string> } {
  const taken = { ...recorded }
  Object.assign(recorded, { lines: [], said: new Set() })
  return taken
}

/** The lines so far, without clearing them. */
export const loggedLines = (): readonly string[] => recorded.lines

// A proxy before the console, so that a test that mutes a method hides nothing.
globalThis.console = new Proxy(console, {
  get(target, name) {
    const member: unknown = Reflect.get(target, name)
    if (typeof member !== 'function') return member
    return (...written: unknown[]) => {
      recorded.lines.push(
        written.map((it) => (typeof it === 'string' ? it : inspect(it))).join(' '),
      )
      return member.apply(target, written)
    }
  },
})

const { fetch } = app
app.fetch = (request, ...rest) => {
  for (const text of sensitiveTextsOfRequest(request)) recorded.said.add(text)
  return fetch(request, ...rest)
}
