type ModuleRunner = { import(id: string): Promise<unknown> }

/** How the pool loads the Worker. */
declare const __vitest_mocker__: { moduleRunner: ModuleRunner }

/**
 * Loads the Worker's main module once. At each request the pool asks vitest's process for it, which costs half as much
 * as a small response, and always gets the same.
 */
export function loadMainOnce() {
  const { moduleRunner } = __vitest_mocker__
  if (Object.hasOwn(moduleRunner, 'import')) return
  const load = moduleRunner.import.bind(moduleRunner)
  let main: unknown
  moduleRunner.import = async (id) => {
    if (!id.endsWith('/src/index.ts')) return load(id)
    main ??= await load(id)
    return main
  }
}
