import { type ResolveFnOutput, registerHooks } from 'node:module'

// Node parses a package's exports again for every importing file. drizzle-orm has 130 KB of them
// and some sixty importers, which takes more than half of a command's start-up time.
const root = new URL('..', import.meta.url).href
const resolutions = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '', conditions } = context
    const isOurs = parentURL.startsWith(root) && !parentURL.includes('/node_modules/')
    if (!isOurs || /^[./]/.test(specifier)) return nextResolve(specifier, context)
    const key = `${specifier} ${conditions}`
    const known = resolutions.get(key) ?? { ...nextResolve(specifier, context), shortCircuit: true }
    resolutions.set(key, known)
    return known
  },
})
