import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** esbuild, as wrangler bundles with it. */
const { transformSync }: { transformSync: (source: string, options: object) => { code: string } } =
  createRequire(import.meta.resolve('wrangler'))('esbuild')

const modules: string[] = []

registerHooks({
  load(url, context, next) {
    modules.push(...(/\/(?:src|node_modules)\/(.*)$/.exec(url)?.slice(1) ?? []))
    // Node does not know JSX.
    if (url.endsWith('.tsx'))
      return { format: 'module', source: compileJsx(fileURLToPath(url)), shortCircuit: true }
    return next(url, context)
  },
})

const compileJsx = (path: string) =>
  transformSync(readFileSync(path, 'utf8'), {
    loader: 'tsx',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  }).code

/** The modules that were evaluated since the last call: their paths in src/ and node_modules/. */
export const takeModules = () => modules.splice(0)
