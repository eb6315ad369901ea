import { joinList } from '../../model/cell-text.ts'
import { isObject } from '../../model/json.ts'
import { decodeText, detectEncoding, type Encoding } from '../source/encoding.ts'
import { parseRecord, type Source, UnreadableFileError } from '../source/source.ts'
import { readJsonElements } from './json-elements.ts'
import { isJsonLines, readLines } from './json-lines.ts'
import { rejectWideRow, type SourceRow, type SourceTable } from './table.ts'

type JsonKind = 'json' | 'ndjson'

const maxDepth = 8

/** Opens a JSON list, an object with a list, or JSON lines as a table with a column for each dotted path. */
export async function openJsonTable(source: Source, declaredKind: JsonKind): Promise<SourceTable> {
  const encoding = await detectEncoding(source)
  const kind = (await isJsonLines(decodeText(source, encoding))) ? 'ndjson' : declaredKind
  const columns = new Map<string, number>()
  for await (const { line, cells } of readJsonRows(source, kind, encoding)) {
    for (const name of cells.keys()) if (!columns.has(name)) columns.set(name, columns.size)
    rejectWideRow(columns.size, line)
  }
  if (columns.size === 0) throw new UnreadableFileError(0, 'has no records.')
  return {
    format: { kind, encoding },
    headings: [...columns.keys()],
    headingLine: 0,
    async *rows(): AsyncGenerator<SourceRow> {
      for await (const { line, cells } of readJsonRows(source, kind, encoding)) {
        yield { line, cells: [...columns.keys()].map((name) => cells.get(name) ?? '') }
      }
    },
  }
}

type JsonRow = { line: number; cells: Map<string, string> }

async function* readJsonRows(
  source: Source,
  format: JsonKind,
  encoding: Encoding,
): AsyncGenerator<JsonRow> {
  const text = decodeText(source, encoding)
  const elements =
    format === 'ndjson'
      ? readLines(text)
      : readJsonElements(text, await findListKey(source, encoding))
  for await (const element of elements) {
    if (element.text.trim() === '') continue
    const record = parseRecord(element.line, element.text)
    if ('broken' in record) throw new UnreadableFileError(record.line, record.broken)
    const { value } = record
    if (!isObject(value)) {
      throw new UnreadableFileError(record.line, 'has a record that is not an object.')
    }
    const cells = new Map<string, string>()
    flatten(value, '', cells, 0)
    yield { line: record.line, cells }
  }
}

function flatten(object: object, prefix: string, cells: Map<string, string>, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    const path = prefix + name
    if (isObject(value) && depth < maxDepth) flatten(value, `${path}.`, cells, depth + 1)
    else cells.set(path, formatValue(value))
  }
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  const areTexts = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return areTexts ? joinList(value) : JSON.stringify(value)
}

/** The key of the first list in a JSON object. */
async function findListKey(source: Source, encoding: Encoding): Promise<string> {
  let start = ''
  for await (const chunk of decodeText(source, encoding)) {
    start += chunk
    if (start.length > 100_000) break
  }
  return /"([^"\\]{1,100})"\s*:\s*\[/.exec(start)?.[1] ?? ''
}
