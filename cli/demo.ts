import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { createOrganisation } from '../src/admin/organisations.ts'
import type { Databases } from '../src/platform/bindings.ts'
import { hasImports } from '../src/store/settings/imports.ts'
import { readServingEdition } from './geography/edition.ts'
import { loadDirectory } from './geography/load.ts'
import { importFiles } from './import/import-files.ts'

export const demoOrganisation = { id: 'demo', name: 'Larkwell Community Trust' }

/** The date of the demo files. Later dates in them are still planned. */
export const demoDate = '2026-11-10'

/** The demo organisation's files, one per collection. */
export const demoFolder = resolve(import.meta.dirname, '../demo')

// The file has names beside its codes, so it also serves as the name file.
const postcodeFile = join(demoFolder, 'postcodes/ONSPD_NOV_2025_UK.csv')

// The last imported file, so its presence shows a complete demo.
const lastFile = 'disbursements.csv'

/** Loads the demo organisation with its dates moved to `day`. Also loads its postcodes unless a directory is loaded. */
export async function loadDemo(
  { DB: db, GEOGRAPHY: geography }: Databases,
  day = new Date().toISOString().slice(0, 10),
): Promise<void> {
  if (!(await readServingEdition(geography))) {
    await loadDirectory(geography, postcodeFile, { names: dirname(postcodeFile), minRows: 1 })
  }
  await createOrganisation(db, demoOrganisation.id, demoOrganisation.name)
  const movedFolder = await mkdtemp(join(tmpdir(), 'demo-'))
  const destination = { db, geography, organisationId: demoOrganisation.id, progress: () => {} }
  try {
    const files = await copyFiles(movedFolder, day)
    for (const group of [
      files.filter((file) => basename(file) !== lastFile),
      [join(movedFolder, lastFile)],
    ]) {
      for await (const { file, errors } of importFiles(group, destination)) {
        if (errors.length > 0) throw new Error(`The demo's ${basename(file)} does not fit.`)
      }
    }
  } finally {
    await rm(movedFolder, { recursive: true })
  }
}

/** Returns whether the demo organisation is completely loaded. */
export const isDemoLoaded = (db: D1Database) =>
  hasImports(db, demoOrganisation.id, basename(lastFile, '.csv'))

/**
 * Moves a text's dates by the whole weeks between the demo's date and `day`, so that weekdays stay
 * the same. A date is `YYYY-MM-DD`, alone or before a time, or the `YYYYMMDD` at the end of a
 * recurrence rule (`UNTIL=`).
 */
export function moveDates(day: string, text: string): string {
  const weeks = Math.floor((Date.parse(day) - Date.parse(demoDate)) / weekMs)
  const moveDate = (date: string) =>
    new Date(Date.parse(date) + weeks * weekMs).toISOString().slice(0, 10)
  return text
    .replace(/\b\d{4}-\d\d-\d\d(?!\d)/g, moveDate)
    .replace(/\bUNTIL=(\d{4})(\d\d)(\d\d)/g, (_, year, month, date) => {
      return `UNTIL=${moveDate(`${year}-${month}-${date}`).replaceAll('-', '')}`
    })
}

const weekMs = 7 * 24 * 60 * 60 * 1000

/** Copies the demo files to a folder with their dates moved, and returns their paths. */
async function copyFiles(target: string, day: string): Promise<string[]> {
  const names = (await readdir(demoFolder)).filter((name) => /\.(csv|json|ndjson)$/.test(name))
  for (const name of names) {
    await writeFile(
      join(target, name),
      moveDates(day, await readFile(join(demoFolder, name), 'utf8')),
    )
  }
  return names.map((name) => join(target, name))
}
