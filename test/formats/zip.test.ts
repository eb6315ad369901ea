import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { afterEach, expect, test } from 'vitest'
import { createZip, zipLimits } from '../../src/formats/zip.ts'

async function* textsOf(...texts: string[]) {
  yield* texts
}

async function* filesOf(files: Record<string, string[]>) {
  for (const [name, texts] of Object.entries(files)) yield { name, texts: textsOf(...texts) }
}

const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(stream).arrayBuffer())

const limits = { ...zipLimits }

afterEach(() => {
  Object.assign(zipLimits, limits)
})

test('another reader finds every file, with its checksum and time', async () => {
  const files = {
    'plain.csv': ['Name\r\n', 'Ann\r\n'],
    'Ébène ☂.xml': ['é'.repeat(100_000), 'ö'],
    'empty.txt': [],
    'long.txt': Array.from({ length: 500 }, (_, n) => `${n} `.repeat(1000)),
  }
  const errors: unknown[] = []
  const bytes = await bytesOf(createZip(filesOf(files), (error) => errors.push(error)))
  const reader = new ZipReader(new Uint8ArrayReader(bytes), { checkSignature: true })
  const entries = await reader.getEntries()
  const texts = await Promise.all(
    entries.map(async (entry) => [
      entry.filename,
      entry.directory ? '' : await entry.getData(new TextWriter()),
    ]),
  )
  expect(Object.fromEntries(texts)).toEqual(
    Object.fromEntries(Object.entries(files).map(([name, parts]) => [name, parts.join('')])),
  )
  for (const { lastModDate, encrypted } of entries) {
    expect(Math.abs(lastModDate.getTime() - Date.now())).toBeLessThan(60_000)
    expect(encrypted).toBe(false)
  }
  expect(bytes.length).toBeLessThan(50_000)
  expect(errors).toEqual([])
})

test('an error of a file aborts the zip, and is passed on', async () => {
  async function* failing() {
    yield 'a beginning'
    throw new Error('the database is away')
  }
  async function* files() {
    yield { name: 'a.csv', texts: failing() }
  }
  const errors: unknown[] = []
  const zip = createZip(files(), (error) => errors.push(error))
  await expect(bytesOf(zip)).rejects.toThrow('The answer could not be finished.')
  expect(errors).toEqual([new Error('the database is away')])
})

test('other zips need not wait for an unread one', async () => {
  const unread = Array.from({ length: 20 }, () => createZip(filesOf({ a: ['a'] }), () => {}))
  expect((await bytesOf(createZip(filesOf({ b: ['b'] }), () => {}))).length).toBeGreaterThan(0)
  for (const zip of unread) await zip.cancel()
})

test.each([
  ['bytes', { bytes: 20 }],
  ['files', { files: 1 }],
])('a zip of too many %s breaks off', async (_, lower) => {
  Object.assign(zipLimits, lower)
  const zip = createZip(filesOf({ a: ['1'.repeat(100)], b: ['2'] }), () => {})
  await expect(bytesOf(zip)).rejects.toThrow('could not be finished')
})
