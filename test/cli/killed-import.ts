import { setImmediate } from 'node:timers/promises'
import { importFiles } from '../../cli/import/import-files.ts'
import { withBindings } from '../../cli/state/bindings.ts'

// node killed-import.ts <state> <organisation> <file> <statements> <turns>: the import of a file, killed
// with the database it runs on so many turns of the event loop after it has prepared so many
// statements, or as it prepares the next.

const [persistTo = '', organisationId = '', file = '', statements, turns] = process.argv.slice(2)
let prepared = 0

const kill = () => process.kill(-process.pid, 'SIGKILL')

async function killLater(): Promise<void> {
  for (let turn = 0; turn < Number(turns); turn++) await setImmediate()
  kill()
}

await withBindings({ persistTo }, async ({ DB, GEOGRAPHY: geography }) => {
  const db: D1Database = Object.assign(Object.create(DB), {
    prepare(query: string) {
      if (++prepared > Number(statements)) kill()
      if (prepared === Number(statements)) killLater()
      return DB.prepare(query)
    },
  })
  await Array.fromAsync(importFiles([file], { db, geography, organisationId, progress: () => {} }))
})
