import Papa from 'papaparse'
import { areas } from '../../src/geography/areas.ts'
import { findNameColumns } from './columns.ts'
import type { NameFile } from './source.ts'

/** Names by code, with one map per kind of area in the order of `areas`. */
export type AreaNames = ReadonlyMap<string, string>[]

/** Reads area names from every file with columns of codes and names. The latest year takes precedence. */
export async function readNames(files: readonly NameFile[]): Promise<AreaNames> {
  const tables: { kind: number; year: number; names: (readonly [string, string])[] }[] = []
  for (const { read } of files) {
    const [header = [], ...rows] = Papa.parse<string[]>(decodeText(await read()), {
      delimiter: ',',
    }).data
    for (const [kind, area] of areas.entries()) {
      for (const { code, name, year } of findNameColumns(header, area)) {
        const names = rows.map((row) => [row[code]?.trim() ?? '', row[name]?.trim() ?? ''] as const)
        tables.push({ kind, year, names })
      }
    }
  }
  tables.sort((a, b) => a.year - b.year)
  return areas.map((_, kind) => {
    const kindTables = tables.filter((file) => file.kind === kind)
    return new Map(
      kindTables.flatMap(({ names }) => names.filter(([code, name]) => code !== '' && name !== '')),
    )
  })
}

// The ONS publishes some name files in Windows-1252.
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
