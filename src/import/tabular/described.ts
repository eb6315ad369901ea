import type { Format } from '../tables/table.ts'

/** A format in words. */
export function described(format: Format): string {
  switch (format.kind) {
    case 'csv':
      return `${encodings[format.encoding]} text with ${separators[format.separator] ?? 'commas'} between its cells`
    case 'xlsx':
      return `the sheet "${format.sheet}"`
    default:
      return format.kind === 'json' ? 'JSON' : 'JSON lines'
  }
}

const encodings = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
} as const

const separators: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}
