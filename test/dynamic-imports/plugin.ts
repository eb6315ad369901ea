import type { Plugin } from 'vitest/config'

/**
 * Loads the modules that the service imports dynamically with `loadOnce`. The module runner lets
 * parallel imports share a promise, and workerd cancels a request that waits for a promise of another.
 * A deployed Worker is one file, in which imports share nothing.
 */
export const dynamicImports: Plugin = {
  name: 'dynamic-imports',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/.*\.tsx?$/, code: 'import(' },
    handler(code) {
      // They follow the code, so that line numbers stay.
      const added = ["import { loadOnce } from '/test/dynamic-imports/load-once.ts'"]
      const changed = code.replaceAll(/\bimport\(["'][^"']+["']\)/g, (expression) => {
        const name = `load${added.length}`
        added.push(`const ${name} = loadOnce(() => ${expression})`)
        return `${name}()`
      })
      return { code: [changed, ...added].join('\n'), map: null }
    },
  },
}
