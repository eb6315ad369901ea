import { type ResolveFnOutput, registerHooks } from 'node:module'

// Node parses a package's exports again for every file that imports the package, and for every file of the package.
// drizzle-orm has 130 KB of them, some sixty importers and a hundred files: more than half of a command's start-up time.
const root = new URL('..', import.meta.url).href
const resolutions = new Map<string, ResolveFnOutput>()
const isInDrizzle = (url: string) => /\/node_modules\/drizzle-orm\/.+\.js$/.test(url)

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '', conditions } = context
    if (/^\..+\.js$/.test(specifier) && isInDrizzle(parentURL))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    const isOurs = parentURL.startsWith(root) && !parentURL.includes('/node_modules/')
    if (!isOurs || /^[./]/.test(specifier)) return nextResolve(specifier, context)
    const key = `${specifier} ${conditions}`
    const known = resolutions.get(key) ?? { ...nextResolve(specifier, context), shortCircuit: true }
    resolutions.set(key, known)
    return known
  },
})
