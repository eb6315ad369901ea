import { SaxesParser } from 'saxes'
import { decode, UnreadableFileError } from '../source/source.ts'

// Far above real workbooks. The parser holds all open tags, and each tag and text until its end.
const maxDepth = 100
const maxAttributes = 200
const maxCharactersBetweenTags = 2 ** 20

/** A tag or text in the XML of a workbook; names have no namespace prefix. */
export type XmlEvent =
  | { opens: string; attributes: Readonly<Record<string, string>> }
  | { closes: string }
  | { text: string }

/** Parses streamed XML and yields the events of each chunk. Throws UnreadableFileError if it is invalid, nested too deeply, or has too long a tag or text. */
export async function* parseXml(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<XmlEvent[]> {
  const parser = new SaxesParser({ position: false })
  let events: XmlEvent[] = []
  let charactersSinceEvent = 0
  let depth = 0
  let attributes = 0
  parser.on('error', () => {
    throw new UnreadableFileError(0, damagedMessage)
  })
  parser.on('attribute', () => {
    if (++attributes > maxAttributes) {
      throw new UnreadableFileError(0, `has a tag of more than ${maxAttributes} attributes.`)
    }
  })
  parser.on('opentag', ({ name, attributes: rawAttributes }) => {
    attributes = 0
    if (++depth > maxDepth) {
      throw new UnreadableFileError(0, `has tags that are nested more than ${maxDepth} deep.`)
    }
    const attributeEntries = Object.entries(rawAttributes).map(([name, value]) => [
      localName(name),
      value,
    ])
    events.push({ opens: localName(name), attributes: Object.fromEntries(attributeEntries) })
  })
  parser.on('closetag', ({ name }) => {
    depth--
    events.push({ closes: localName(name) })
  })
  parser.on('text', (text) => events.push({ text }))
  parser.on('cdata', (text) => events.push({ text }))
  for await (const text of decode('utf-8', bytes, damagedMessage)) {
    parser.write(text)
    charactersSinceEvent = events.length > 0 ? 0 : charactersSinceEvent + text.length
    if (charactersSinceEvent > maxCharactersBetweenTags) {
      throw new UnreadableFileError(0, 'has a text or a tag of more than a million characters.')
    }
    yield events
    events = []
  }
  parser.close()
  yield events
}

const damagedMessage = 'is damaged: a part of the workbook is not valid XML.'

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
