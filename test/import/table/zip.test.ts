import {
  TextReader,
  Uint8ArrayWriter,
  ZipWriter,
  type ZipWriterConstructorOptions,
} from '@zip.js/zip.js'
import { expect, test } from 'vitest'
import { openZip } from '../../../src/import/rows/zip.ts'
import { fileOf } from './files.ts'

const text = '<a>ö</a>'.repeat(10_000)

async function zipOf(options: ZipWriterConstructorOptions, comment?: Uint8Array) {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, ...options })
  for (const name of ['/xl/first.xml', 'other.bin', 'second.rels'])
    await zip.add(name, new TextReader(text))
  return zip.close(comment)
}

const read = async (bytes: Uint8Array) => {
  const zip = await openZip(fileOf(bytes, 'x.xlsx', 1000))
  return Promise.all(
    [...zip].map(async ([name, inflate]) => {
      const chunks = await Array.fromAsync(inflate())
      return [name, await new Response(new Blob(chunks as Uint8Array<ArrayBuffer>[])).text()]
    }),
  )
}

const files = [
  ['xl/first.xml', text],
  ['second.rels', text],
]

test.each<[string, ZipWriterConstructorOptions]>([
  ['deflated', {}],
  ['stored', { level: 0 }],
  ['with sizes behind the files', { dataDescriptor: true }],
  ['with sizes of 64 bits', { zip64: true }],
])('a zip with files %s', async (_, options) => {
  expect(await read(await zipOf(options))).toEqual(files)
})

test('a zip with a comment', async () => {
  expect(await read(await zipOf({}, new Uint8Array(60_000)))).toEqual(files)
})

test('a zip with a password is refused', async () => {
  const bytes = await zipOf({ password: 'secret' })
  await expect(read(bytes)).rejects.toThrow('is damaged')
})

test('a zip with a damaged byte is read, or refused', async () => {
  const bytes = await zipOf({})
  for (let at = 0; at < bytes.length; at += 3) {
    const damaged = bytes.slice()
    damaged[at] = (damaged[at] ?? 0) ^ 0xff
    await read(damaged).then(
      (found) => expect(found.length).toBeLessThanOrEqual(2),
      (error) => expect(error).toMatchObject({ name: 'Error', line: 0 }),
    )
  }
})

test.each([0, 10, 1000])('a zip cut to %i bytes is refused', async (length) => {
  const bytes = await zipOf({})
  await expect(read(bytes.slice(0, length))).rejects.toThrow('is damaged')
})
