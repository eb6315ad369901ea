import { inflateSync } from 'node:zlib'

/*
 * Reads the text of a PDF that Chromium printed: its objects are not compressed, and each font has a table from
 * glyphs to characters.
 */

/** The text of each page, with single spaces between its parts. */
export function readPdfPages(pdf: Buffer): string[] {
  const objects = new Map(
    [...pdf.toString('latin1').matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(
      ([, number = '', body = '']) => [number, body],
    ),
  )
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body))
  return pages.map((page) => {
    const [, fonts = ''] = /\/Font <<([^>]*)>>/.exec(page) ?? []
    const characters = new Map(
      [...fonts.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name = '', number = '']) => {
        const [, table = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(number) ?? '') ?? []
        return [name, parseCharacters(readStream(objects.get(table)))]
      }),
    )
    const [, contents = ''] = /\/Contents (\d+) 0 R/.exec(page) ?? []
    return readText(readStream(objects.get(contents)), characters)
  })
}

function readStream(body = ''): string {
  const [, bytes] = /stream\r?\n([\s\S]*)\r?\nendstream/.exec(body) ?? []
  return bytes === undefined ? '' : inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1')
}

/** The characters of a font by glyph, from the lines `<glyph> <character>` and `<first> <last> <character>`. */
function parseCharacters(table: string): Map<number, string> {
  const characters = new Map<number, string>()
  for (const [line] of table.matchAll(/^(?:<[0-9A-F]+> ?){2,3}$/gm)) {
    const numbers = [...line.matchAll(/<([0-9A-F]+)>/g)].map(([, hex = '']) => hex)
    const [first = '', last = ''] = numbers
    const character = numbers.at(-1) ?? ''
    if (line === '<0000> <FFFF>') continue
    const count = numbers.length === 3 ? Number.parseInt(last, 16) - Number.parseInt(first, 16) : 0
    for (let index = 0; index <= count; index++)
      characters.set(
        Number.parseInt(first, 16) + index,
        character.length > 4
          ? Buffer.from(character, 'hex').swap16().toString('utf16le')
          : String.fromCharCode(Number.parseInt(character, 16) + index),
      )
  }
  return characters
}

function readText(contents: string, characters: ReadonlyMap<string, Map<number, string>>) {
  const parts = [...contents.matchAll(/BT\n([\s\S]*?)\nET/g)].map(([, part = '']) => {
    const [, font = ''] = /\/(\w+) [\d.]+ Tf/.exec(part) ?? []
    const glyphs = [...part.matchAll(/<([0-9A-F]+)> Tj/g)].flatMap(
      ([, hex = '']) => hex.match(/.{4}/g) ?? [],
    )
    return glyphs
      .map((glyph) => characters.get(font)?.get(Number.parseInt(glyph, 16)) ?? '')
      .join('')
  })
  // Ligatures become letters.
  return parts.join(' ').normalize('NFKC').replaceAll(/\s+/g, ' ').trim()
}
