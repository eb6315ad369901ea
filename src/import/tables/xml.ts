import { SaxesParser } from 'saxes'
import { longestRecord, Unreadable } from '../read.ts'

/** What a part of a workbook says, in its order; names are without their prefixes. */
export type Said =
  | { opens: string; attributes: Readonly<Record<string, string>> }
  | { closes: string }
  | { text: string }

/** Reads XML as it comes, chunk by chunk, and gives what each chunk completes. Throws Unreadable where it is no XML, or one text of it is longer than a record. */
export async function* xmlOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Said[]> {
  const parser = new SaxesParser({ position: false })
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let said: Said[] = []
  let sinceLast = 0
  parser.on('error', () => {
    throw new Unreadable(0, 'is damaged: a part of the workbook is not valid XML.')
  })
  parser.on('opentag', ({ name, attributes }) => {
    const own = Object.entries(attributes).map(([name, value]) => [local(name), value])
    said.push({ opens: local(name), attributes: Object.fromEntries(own) })
  })
  parser.on('closetag', ({ name }) => said.push({ closes: local(name) }))
  parser.on('text', (text) => said.push({ text }))
  parser.on('cdata', (text) => said.push({ text }))
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }))
    sinceLast = said.length > 0 ? 0 : sinceLast + chunk.length
    if (sinceLast > longestRecord) {
      throw new Unreadable(0, `has a text of more than ${longestRecord} characters.`)
    }
    yield said
    said = []
  }
  parser.close()
  yield said
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)
