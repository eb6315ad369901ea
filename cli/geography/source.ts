import { createReadStream, existsSync, openAsBlob } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BlobReader, configure, type FileEntry, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { CommandError } from '../terminal/report.ts'

/** A published directory on disk: the CSV of the edition and possible name files. */
export type DirectorySource = {
  file: string
  /** The year and month of the edition, `YYYY-MM`. */
  edition: string
  size: number
  read: () => AsyncIterable<Uint8Array>
  nameFiles: NameFile[]
}

export type NameFile = { file: string; read: () => Promise<Uint8Array> }

const directoryFile = /^ONSPD_([A-Z]{3})_(\d{4})[^/]*\.csv$/i
const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

// Web Workers would copy the inflated data.
configure({ useWebWorkers: false })

/** Opens a directory: the zip from the ONS, or its CSV with a folder of name files. */
export async function openSource(path: string, namesFolder?: string): Promise<DirectorySource> {
  for (const requiredPath of [path, namesFolder]) {
    if (requiredPath !== undefined && !existsSync(requiredPath))
      throw new CommandError(`There is no ${requiredPath}.`)
  }
  const folder = namesFolder === undefined ? [] : await listNameFiles(namesFolder)
  if (/\.zip$/i.test(path)) return openZip(path, folder)
  if (/\.csv$/i.test(path)) return openCsv(path, folder)
  throw new CommandError(
    `${basename(path)} is not a directory: give the .zip of the ONS or its .csv.`,
  )
}

async function openCsv(path: string, nameFiles: NameFile[]): Promise<DirectorySource> {
  const file = basename(path)
  if (nameFiles.length === 0) {
    throw new CommandError(
      `${file} holds codes and no names: give the folder of name files (Documents in the zip) with --names.`,
    )
  }
  const { size } = await stat(path)
  return { file, edition: parseEdition(file), size, read: () => createReadStream(path), nameFiles }
}

async function openZip(path: string, folder: NameFile[]): Promise<DirectorySource> {
  const zip = new ZipReader(new BlobReader(await openAsBlob(path)), { checkSignature: true })
  const entries = await zip.getEntries().catch(() => {
    throw new CommandError(`${basename(path)} is not a zip, or not the whole of one.`)
  })
  const files = entries.filter((entry) => !entry.directory)
  // A zip also holds the directory by postcode area, in Data/multi_csv.
  const directories = files.filter(
    ({ filename }) => directoryFile.test(basename(filename)) && !/multi_csv/i.test(filename),
  )
  const [directory] = directories
  if (directory === undefined || directories.length > 1) {
    throw new CommandError(
      `${basename(path)} must hold one Data/ONSPD_<month>_<year>_UK.csv; it holds ${directories.length}.`,
    )
  }
  const nameEntries = files.filter(({ filename }) => /(^|\/)Documents\/[^/]*\.csv$/i.test(filename))
  const file = basename(directory.filename)
  return {
    file,
    edition: parseEdition(file),
    size: directory.uncompressedSize,
    read: () => inflate(directory),
    nameFiles: [...nameEntries.map(toNameFile), ...folder],
  }
}

async function* inflate(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const completion = entry.getData(writable)
  completion.catch(() => {})
  try {
    yield* readable
    await completion
  } catch {
    throw damagedEntry(entry)
  }
}

const toNameFile = (entry: FileEntry): NameFile => ({
  file: basename(entry.filename),
  read: () =>
    entry.getData(new Uint8ArrayWriter()).catch(() => {
      throw damagedEntry(entry)
    }),
})

const damagedEntry = ({ filename }: FileEntry) =>
  new CommandError(`${filename} in the zip is damaged.`)

async function listNameFiles(folder: string): Promise<NameFile[]> {
  const files = (await readdir(folder)).filter((file) => /\.csv$/i.test(file)).sort()
  return files.map((file) => ({ file, read: () => readFile(join(folder, file)) }))
}

function parseEdition(file: string): string {
  const [, month = '', year] = directoryFile.exec(file) ?? []
  const number = months.indexOf(month.toUpperCase()) + 1
  if (number === 0) {
    throw new CommandError(
      `${file} does not tell its edition: keep the name the ONS gave it, like ONSPD_AUG_2026_UK.csv.`,
    )
  }
  return `${year}-${String(number).padStart(2, '0')}`
}
