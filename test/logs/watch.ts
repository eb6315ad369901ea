import { inspect } from 'node:util'
import { app } from '../../src/app.ts'
import { saidBy } from './told.ts'

/** What was written to the console, and what the requests said, since they were last taken. */
const seen = { lines: [] as string[], said: new Set<string>() }

/** Gives what was seen so far, and begins anew. */
export function takeSeen(): { lines: string[]; said: Set<string> } {
  const taken = { ...seen }
  Object.assign(seen, { lines: [], said: new Set() })
  return taken
}

/** The lines so far, which stay to be taken. */
export const linesSeen = (): readonly string[] => seen.lines

// In front of the console and not in its methods: a test that mutes one of them hides nothing.
globalThis.console = new Proxy(console, {
  get(target, name) {
    const member: unknown = Reflect.get(target, name)
    if (typeof member !== 'function') return member
    return (...written: unknown[]) => {
      seen.lines.push(written.map((it) => (typeof it === 'string' ? it : inspect(it))).join(' '))
      return member.apply(target, written)
    }
  },
})

const { fetch } = app
app.fetch = (request, ...rest) => {
  for (const text of saidBy(request)) seen.said.add(text)
  return fetch(request, ...rest)
}
