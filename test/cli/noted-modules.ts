import { registerHooks } from 'node:module'

const modules: string[] = []

registerHooks({
  load(url, context, next) {
    modules.push(...(/\/(?:src|node_modules)\/(.*)$/.exec(url)?.slice(1) ?? []))
    return next(url, context)
  },
})

/** The modules that were evaluated since the last call: their paths in src/ and node_modules/. */
export const takeModules = () => modules.splice(0)
