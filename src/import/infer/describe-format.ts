import type { Format } from '../read/table.ts'

/** A format in words. */
export function describeFormat(format: Format): string {
  switch (format.kind) {
    case 'csv':
      return `${encodingNames[format.encoding]} text with ${separatorNames[format.separator] ?? 'commas'} between its cells`
    case 'xlsx':
      return `the sheet "${format.sheet}"`
    default:
      return format.kind === 'json' ? 'JSON' : 'JSON lines'
  }
}

const encodingNames = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
} as const

const separatorNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}
