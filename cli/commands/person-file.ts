import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buildArchiveFiles, serialisePersonalData } from '../../src/formats/personal-data.ts'
import type { PersonalData } from '../../src/formats/personal-data-parts.ts'
import { createZip } from '../../src/formats/zip.ts'
import { CommandError } from '../terminal/refusal.ts'

/** Writes everything of a person to a new file: a zip, or JSON where it is called so. */
export async function writePersonalData(personalData: PersonalData, file: string): Promise<void> {
  const parts = file.endsWith('.json')
    ? Readable.from(serialisePersonalData(personalData))
    : Readable.from(zipPersonalData(personalData))
  // What is broken off must not be taken for the whole; nobody else on this machine may read it.
  const temporaryFile = temporaryPath(file)
  const handle = await open(temporaryFile, 'wx', 0o600).catch((error) => {
    throw new CommandError(`${file} cannot be written: ${error.code}.`)
  })
  try {
    await pipeline(parts, handle.createWriteStream())
    await rename(temporaryFile, file)
  } catch (error) {
    await rm(temporaryFile, { force: true })
    throw error
  }
}

/** Refuses a file that is there already, whole or unfinished, or of a form that is not written. */
export function requireNewFile(file: string): void {
  if (!/\.(zip|json)$/.test(file)) throw new CommandError('--out: must end in .zip or .json.')
  for (const path of [file, temporaryPath(file)])
    if (existsSync(path)) throw new CommandError(`${path} is there already: name a new file.`)
}

const temporaryPath = (file: string) => `${file}.unfinished`

/** The bytes of the zip; throws why it could not be made, and not only that. */
async function* zipPersonalData(personalData: PersonalData): AsyncGenerator<Uint8Array> {
  let zipError: unknown
  const bytes = createZip(buildArchiveFiles(personalData), (error) => {
    zipError = error
  })
  try {
    yield* bytes
  } catch (error) {
    throw zipError ?? error
  }
}
