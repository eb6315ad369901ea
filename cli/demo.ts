import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { addOrganisation } from '../src/operator/organisations.ts'
import type { Databases } from '../src/platform/bindings.ts'
import { wasImported } from '../src/store/imports.ts'
import { importFiles } from './commands/import-files.ts'
import { servingEdition } from './geography/edition.ts'
import { loadDirectory } from './geography/load.ts'

export const organisation = { id: 'demo', name: 'Larkwell Community Trust' }

/** The day the demo's files describe: whatever they date later is still planned. */
export const asOf = '2026-11-10'

/** The organisation's files, one for each collection. */
export const folder = resolve(import.meta.dirname, '../demo')

// It has a name beside each code, so it is its own name file.
const postcodes = join(folder, 'postcodes/ONSPD_NOV_2025_UK.csv')

// Imported after everything else is done, so a demo that has it is whole.
const last = 'disbursements.csv'

/** Loads the demo organisation with its dates moved to `day`, and the few postcodes it needs unless a directory is loaded. */
export async function loadDemo(
  { DB: db, GEOGRAPHY: geography }: Databases,
  day = new Date().toISOString().slice(0, 10),
): Promise<void> {
  if (!(await servingEdition(geography))) {
    await loadDirectory(geography, postcodes, { names: dirname(postcodes), leastRows: 1 })
  }
  await addOrganisation(db, organisation.id, organisation.name)
  const moved = await mkdtemp(join(tmpdir(), 'demo-'))
  const to = { db, geography, organisationId: organisation.id, progress: () => {} }
  try {
    const files = await copied(moved, day)
    for (const part of [files.filter((file) => basename(file) !== last), [join(moved, last)]]) {
      for await (const { file, faults } of importFiles(part, to)) {
        if (faults.length > 0) throw new Error(`The demo's ${basename(file)} does not fit.`)
      }
    }
  } finally {
    await rm(moved, { recursive: true })
  }
}

/** Whether the demo organisation is there, loaded to the end. */
export const isDemoLoaded = (db: D1Database) =>
  wasImported(db, organisation.id, basename(last, '.csv'))

/**
 * The text of a file with its dates moved by the whole weeks between `asOf` and `day`: weekdays
 * stay, and what is planned is still to come. A date is `YYYY-MM-DD`, alone or before a time, or
 * the `YYYYMMDD` at which a recurrence rule ends (`UNTIL=`).
 */
export function movedTo(day: string, text: string): string {
  const weeks = Math.floor((Date.parse(day) - Date.parse(asOf)) / week)
  const moved = (date: string) =>
    new Date(Date.parse(date) + weeks * week).toISOString().slice(0, 10)
  return text
    .replace(/\b\d{4}-\d\d-\d\d(?!\d)/g, moved)
    .replace(/\bUNTIL=(\d{4})(\d\d)(\d\d)/g, (_, year, month, date) => {
      return `UNTIL=${moved(`${year}-${month}-${date}`).replaceAll('-', '')}`
    })
}

const week = 7 * 24 * 60 * 60 * 1000

/** Copies the files into another folder with their dates moved; their paths there. */
async function copied(to: string, day: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(csv|json|ndjson)$/.test(name))
  for (const name of names) {
    await writeFile(join(to, name), movedTo(day, await readFile(join(folder, name), 'utf8')))
  }
  return names.map((name) => join(to, name))
}
