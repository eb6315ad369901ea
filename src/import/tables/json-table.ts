import { joined } from '../../model/cell-text.ts'
import { isObject } from '../../model/is-object.ts'
import { jsonElements } from '../json-elements.ts'
import { areJsonLines } from '../json-lines.ts'
import { linesOf } from '../lines.ts'
import { parsed, type Source, Unreadable } from '../read.ts'
import { decoded, type Encoding, encodingOf } from './encoding.ts'
import { type Row, refuseWide, type Table } from './table.ts'

type Kind = 'json' | 'ndjson'

const mostDepth = 8

/** A JSON list, an object with a list, or JSON lines, whatever these are called, as a table: a column for each property by its dotted path. */
export async function jsonTable(source: Source, called: Kind): Promise<Table> {
  const encoding = await encodingOf(source)
  const kind = (await areJsonLines(decoded(source, encoding))) ? 'ndjson' : called
  const columns = new Map<string, number>()
  for await (const { line, cells } of records(source, kind, encoding)) {
    for (const name of cells.keys()) if (!columns.has(name)) columns.set(name, columns.size)
    refuseWide(columns.size, line)
  }
  if (columns.size === 0) throw new Unreadable(0, 'has no records.')
  return {
    format: { kind, encoding },
    headings: [...columns.keys()],
    headingLine: 0,
    async *rows(): AsyncGenerator<Row> {
      for await (const { line, cells } of records(source, kind, encoding)) {
        yield { line, cells: [...columns.keys()].map((name) => cells.get(name) ?? '') }
      }
    },
  }
}

type Cells = { line: number; cells: Map<string, string> }

async function* records(source: Source, kind: Kind, encoding: Encoding): AsyncGenerator<Cells> {
  const text = decoded(source, encoding)
  const elements =
    kind === 'ndjson' ? linesOf(text) : jsonElements(text, await listKey(source, encoding))
  for await (const element of elements) {
    if (element.text.trim() === '') continue
    const read = parsed(element.line, element.text)
    if ('broken' in read) throw new Unreadable(read.line, read.broken)
    const { value } = read
    if (!isObject(value)) {
      throw new Unreadable(read.line, 'has a record that is not an object.')
    }
    const cells = new Map<string, string>()
    flatten(value, '', cells, 0)
    yield { line: read.line, cells }
  }
}

function flatten(object: object, above: string, into: Map<string, string>, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    const path = above + name
    if (isObject(value) && depth < mostDepth) flatten(value, `${path}.`, into, depth + 1)
    else into.set(path, spelt(value))
  }
}

function spelt(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  const texts = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return texts ? joined(value) : JSON.stringify(value)
}

/** The key of the first list in an object that is not itself a list. */
async function listKey(source: Source, encoding: Encoding): Promise<string> {
  let start = ''
  for await (const chunk of decoded(source, encoding)) {
    start += chunk
    if (start.length > 100_000) break
  }
  return /"([^"\\]{1,100})"\s*:\s*\[/.exec(start)?.[1] ?? ''
}
