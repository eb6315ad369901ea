import { describe, expect, test } from 'vitest'
import { readParts, readPartText } from '../../src/http/multipart.ts'

/** A body that comes in pieces of so many bytes. */
const inPieces = (text: string, size: number) => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}

const type = 'multipart/form-data; boundary=--xy'
const body = (...parts: string[]) =>
  `preamble\r\n${parts.map((part) => `----xy\r\n${part}\r\n`).join('')}----xy--\r\nepilogue`

async function read(text: string, size: number, contentType = type) {
  const parts: [name: string, file: string | undefined, text: string][] = []
  for await (const { name, file, bytes } of readParts(inPieces(text, size), contentType))
    parts.push([name, file, await readPartText(bytes, 1000)])
  return parts
}

const field = 'Content-Disposition: form-data; name="step"\r\n\r\nwhat'
const file =
  'content-disposition: form-data; name="file"; filename="a%22b ü.csv"\r\nContent-Type: text/csv\r\n\r\n\r\n----x\r\n----xz\n'

describe.each([1, 2, 7, 10_000])('in pieces of %i bytes', (size) => {
  test('each part is read whole, and nothing of another', async () => {
    expect(await read(body(field, file, field), size)).toEqual([
      ['step', undefined, 'what'],
      ['file', 'a"b ü.csv', '\r\n----x\r\n----xz\n'],
      ['step', undefined, 'what'],
    ])
  })

  test('skips the unread rest of a part', async () => {
    const names: string[] = []
    for await (const { name } of readParts(inPieces(body(file, field), size), type))
      names.push(name)
    expect(names).toEqual(['file', 'step'])
  })

  test.each([
    ['nothing', ''],
    ['no end of a part', '----xy\r\n'],
    ['no last boundary', body(field).slice(0, -20)],
    ['a head without end', body('Content-Disposition: form-data').slice(0, -20)],
  ])('%s is refused', async (_, text) => {
    await expect(read(text, size)).rejects.toThrow('The form is incomplete')
  })
})

test('a part that is too long is refused, and so is another type', async () => {
  await expect(read(body(`${field}${'a'.repeat(1000)}`), 100)).rejects.toThrow('too long')
  await expect(read(body(`${'a'.repeat(9000)}${field}`), 100)).rejects.toThrow('too long')
  await expect(read(body(field), 100, 'text/plain')).rejects.toThrow('multipart/form-data')
})
