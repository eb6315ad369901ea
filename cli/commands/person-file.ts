import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buildArchiveFiles, serialisePersonalData } from '../../src/formats/personal-data.ts'
import type { PersonalData } from '../../src/formats/personal-data-types.ts'
import { CommandError } from '../terminal/report.ts'
import { zipFiles } from './zip-files.ts'

/** Writes all data of a person to a new file: JSON or zip, depending on its extension. */
export async function writePersonalData(personalData: PersonalData, file: string): Promise<void> {
  const parts = file.endsWith('.json')
    ? Readable.from(serialisePersonalData(personalData))
    : Readable.from(zipFiles(buildArchiveFiles(personalData)))
  // The temporary name marks an interrupted file as incomplete. Only the current user may read it.
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

/** Throws if a file exists, is unfinished, or has another extension. */
export function requireNewFile(file: string): void {
  if (!/\.(zip|json)$/.test(file)) throw new CommandError('--out: must end in .zip or .json.')
  for (const path of [file, temporaryPath(file)])
    if (existsSync(path)) throw new CommandError(`${path} already exists: choose a new file.`)
}

const temporaryPath = (file: string) => `${file}.unfinished`
