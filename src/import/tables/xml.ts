import { SaxesParser } from 'saxes'
import { decodedAs, Unreadable } from '../read.ts'

// Workbooks have far less; a parser keeps all open tags, and each tag and text until its end.
const maxDepth = 100
const maxAttributes = 200
const maxCharactersBetweenTags = 2 ** 20

/** What a part of a workbook says, in its order; names are without their prefixes. */
export type Said =
  | { opens: string; attributes: Readonly<Record<string, string>> }
  | { closes: string }
  | { text: string }

/** Reads XML as it comes, chunk by chunk, and gives what each chunk completes. Throws Unreadable where it is no XML, or too deep, or where a tag or a text is too long. */
export async function* xmlOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Said[]> {
  const parser = new SaxesParser({ position: false })
  let said: Said[] = []
  let sinceLast = 0
  let depth = 0
  let attributes = 0
  parser.on('error', () => {
    throw new Unreadable(0, damaged)
  })
  parser.on('attribute', () => {
    if (++attributes > maxAttributes) {
      throw new Unreadable(0, `has a tag of more than ${maxAttributes} attributes.`)
    }
  })
  parser.on('opentag', ({ name, attributes: given }) => {
    attributes = 0
    if (++depth > maxDepth) {
      throw new Unreadable(0, `has tags that are nested more than ${maxDepth} deep.`)
    }
    const own = Object.entries(given).map(([name, value]) => [local(name), value])
    said.push({ opens: local(name), attributes: Object.fromEntries(own) })
  })
  parser.on('closetag', ({ name }) => {
    depth--
    said.push({ closes: local(name) })
  })
  parser.on('text', (text) => said.push({ text }))
  parser.on('cdata', (text) => said.push({ text }))
  for await (const text of decodedAs('utf-8', bytes, damaged)) {
    parser.write(text)
    sinceLast = said.length > 0 ? 0 : sinceLast + text.length
    if (sinceLast > maxCharactersBetweenTags) {
      throw new Unreadable(0, 'has a text or a tag of more than a million characters.')
    }
    yield said
    said = []
  }
  parser.close()
  yield said
}

const damaged = 'is damaged: a part of the workbook is not valid XML.'

const local = (name: string) => name.slice(name.indexOf(':') + 1)
