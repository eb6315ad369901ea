import { runInRunnerObject } from 'cloudflare:test-internal'

/** Returns a function that imports a module in the context of the tests, where imports may share promises, and returns it again later. */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: { module: Module } | undefined
  return async () => {
    loaded ??= { module: await runInRunnerObject(load) }
    return loaded.module
  }
}
