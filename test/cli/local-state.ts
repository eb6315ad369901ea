import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../../bench/workers.ts'
import { importFiles } from '../../cli/import/import-files.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createOrganisation } from '../../src/admin/organisations.ts'
import { app } from '../../src/app.ts'
import { withoutValues } from '../../src/import/report/import-result.ts'
import type { Bindings, DatabaseName } from '../../src/platform/bindings.ts'
import { createKey } from '../keys.ts'
import { newMigratedFolder } from './migrated-state.ts'

let opened: Promise<Bindings> | undefined

/** The bindings of a state that all test files of a process share, since opening one is slow. It ends with the process. */
export const localState = (): Promise<Bindings> => {
  opened ??= openShared()
  return opened
}

async function openShared(): Promise<Bindings> {
  const folder = await newMigratedFolder()
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return (await openState(folder)).bindings
}

/** The bindings of wrangler.toml on a state folder of wrangler or the command line, with these databases. */
export const openState = (folder: string, databases?: readonly DatabaseName[]) =>
  start(join(folder, 'v3'), 'export default {}', { databases })

let count = 0

/** Creates an organisation, with functions to import files and to read over the API. */
export async function newOrganisation(bindings: Bindings) {
  const id = `org-${++count}`
  await createOrganisation(bindings.DB, id, `Organisation ${count}`)
  const { key } = await createKey(bindings, id, 'a test', 'a test')
  const to = {
    db: bindings.DB,
    geography: bindings.GEOGRAPHY,
    organisationId: id,
    store: operatorStore(bindings.DB, id),
    progress: () => {},
  }
  return {
    id,
    to,
    /** Imports files, given as text by name, and returns the result of each. */
    async import(files: Record<string, string | object>) {
      const folder = await mkdtemp(join(tmpdir(), 'import-'))
      try {
        for (const [name, content] of Object.entries(files)) {
          const text = typeof content === 'string' ? content : JSON.stringify(content)
          await writeFile(join(folder, name), text)
        }
        const outcomes = await Array.fromAsync(importFiles([folder], to))
        return Object.fromEntries(
          outcomes.map(({ file, records, errors }) => [
            file.slice(folder.length + 1),
            errors.length > 0 ? { errors: withoutValues(errors) } : records,
          ]),
        )
      } finally {
        await rm(folder, { recursive: true })
      }
    },
    get: apiClient(bindings, key),
  }
}

/** Returns a function that reads from the API with a key, and throws unless the status is 200. */
export const apiClient =
  (bindings: Bindings, key: string) =>
  async <Body = Record<string, unknown>>(path: string): Promise<Body> => {
    const waiting = {
      waitUntil: () => {},
      passThroughOnException: () => {},
      props: {},
    }
    const init = { headers: { 'x-api-key': key } }
    const answer = await app.request(`/api/v1/${path}`, init, bindings, waiting)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
    return answer.json()
  }
