import { inspect } from 'node:util'
import { app } from '../../src/app.ts'
import { sensitiveTextsOfRequest } from './leaks.ts'

/** The console output and the sensitive texts of requests since the last `takeRecorded`. */
const recorded = { lines: [] as string[], texts: new Set<string>() }

/** Returns the recorded lines and texts, and clears them. */
export function takeRecorded(): { lines: string[]; texts: Set<string> } {
  const taken = { ...recorded }
  Object.assign(recorded, { lines: [], texts: new Set() })
  return taken
}

/** The lines so far, without clearing them. */
export const loggedLines = (): readonly string[] => recorded.lines

// A proxy before the console, so that a test that mutes a method hides nothing.
globalThis.console = new Proxy(console, {
  get(target, name) {
    const member: unknown = Reflect.get(target, name)
    if (typeof member !== 'function') return member
    return (...values: unknown[]) => {
      recorded.lines.push(values.map((it) => (typeof it === 'string' ? it : inspect(it))).join(' '))
      // Many tests send requests that are refused, and their lines would hide others.
      const isRefusal = name === 'warn' && String(values[0]).startsWith('{"event":"request"')
      return isRefusal ? undefined : member.apply(target, values)
    }
  },
})

const { fetch } = app
app.fetch = (request, ...rest) => {
  for (const text of sensitiveTextsOfRequest(request)) recorded.texts.add(text)
  return fetch(request, ...rest)
}
