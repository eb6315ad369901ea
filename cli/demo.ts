import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { moveDates } from '../src/admin/move-dates.ts'
import { operatorStore } from '../src/admin/operator-store.ts'
import { createOrganisation } from '../src/admin/organisations.ts'
import type { Databases } from '../src/platform/bindings.ts'
import { savePublicPages } from '../src/sign-up/public-pages.ts'
import { hasImports } from '../src/store/imports/list-imports.ts'
import { readSchemas } from '../src/store/settings/schemas.ts'
import { demoFolder, listDemoFiles } from './demo-files.ts'
import { readServingEdition } from './geography/edition.ts'
import { loadDirectory } from './geography/load.ts'
import { importFiles } from './import/import-files.ts'

export const demoOrganisation = { id: 'demo', name: 'Larkwell Community Trust' }

/** The pages of the demo organisation that anyone can open. */
export const demoPages = {
  events: `/o/${demoOrganisation.id}`,
  form: `/o/${demoOrganisation.id}/forms/form-event-feedback`,
}

/** The settings of the demo organisation's public pages. */
const demoSettings = {
  signUpFields: [
    { id: 'Full Name', required: true },
    { id: 'Email', required: false },
    { id: 'Phone', required: false },
    { id: 'Postcode', required: false },
    { id: 'Date of Birth', required: false },
  ],
  privacyNotice: 'https://larkwell.example/privacy',
  colour: '#5b2a6e',
  contactEmail: 'events@example.org',
  contactPhone: '020 7946 0100',
}

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
    const load = async (files: string[]) => {
      for await (const { file, errors } of importFiles(files, destination)) {
        if (errors.length > 0) throw new Error(`The demo's ${basename(file)} does not fit.`)
      }
    }
    await load(files.filter((file) => basename(file) !== lastFile))
    await switchOnPublicPages(db)
    await load([join(movedFolder, lastFile)])
  } finally {
    await rm(movedFolder, { recursive: true })
  }
}

async function switchOnPublicPages(db: D1Database): Promise<void> {
  const organisationId = demoOrganisation.id
  const { members } = await readSchemas(db, organisationId)
  if (!members) throw new Error('The demo has no schema of members.')
  await savePublicPages(operatorStore(db, organisationId), members, {
    enabled: true,
    settings: demoSettings,
  })
}

export const isDemoLoaded = (db: D1Database) =>
  hasImports(db, {
    organisationId: demoOrganisation.id,
    collection: basename(lastFile, '.csv'),
  })

/** Copies the demo files to a folder with their dates moved, and returns their paths. */
async function copyFiles(target: string, day: string): Promise<string[]> {
  const names = listDemoFiles()
  for (const name of names) {
    await writeFile(
      join(target, name),
      moveDates(day, await readFile(join(demoFolder, name), 'utf8')),
    )
  }
  return names.map((name) => join(target, name))
}
