import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../../bench/workers.ts'
import { importFiles } from '../../cli/import/import-files.ts'
import { createKey } from '../../src/admin/keys.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createOrganisation } from '../../src/admin/organisations.ts'
import { app } from '../../src/app.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { copyOfMigrated } from './migrated-state.ts'

let opened: Promise<Bindings> | undefined

/** The bindings of a state that the test files of a process share, as opening one takes longer than most tests: it ends with the process. */
export const localState = (): Promise<Bindings> => {
  opened ??= openShared()
  return opened
}

async function openShared(): Promise<Bindings> {
  const folder = await copyOfMigrated()
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return (await stateIn(folder)).bindings
}

/** What wrangler.toml binds, on the state that wrangler or the command line keeps in a folder. */
export const stateIn = (folder: string) => start(join(folder, 'v3'), 'export default {}')

let made = 0

/** An organisation of a test's own: what imports files into it, and what asks the API for its data. */
export async function newOrganisation(bindings: Bindings) {
  const id = `org-${++made}`
  await createOrganisation(bindings.DB, id, `Organisation ${made}`)
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
    /** Imports files given by name and text; what came of each, by name. */
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
            errors.length > 0 ? { errors } : records,
          ]),
        )
      } finally {
        await rm(folder, { recursive: true })
      }
    },
    get: asking(bindings, key),
  }
}

/** What asks the API, with a key, for the body of an answer; whatever is not 200 is an error. */
export const asking =
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
