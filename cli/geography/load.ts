import { toLookupKey } from '../../src/geography/lookup.ts'
import { CommandError } from '../terminal/report.ts'
import { findColumns } from './columns.ts'
import { type Coverage, findShortfalls, minRows } from './coverage.ts'
import { Generation } from './generation.ts'
import { readNames } from './names.ts'
import { Numbering } from './numbering.ts'
import { type ReadProgress, readDirectoryRows } from './rows.ts'
import { openSource } from './source.ts'

export type LoadOptions = {
  /** A folder of name files, in addition to those in the zip. */
  names?: string | undefined
  /** Whether to load Northern Ireland. Its postcodes are not under the Open Government Licence. */
  northernIreland?: boolean | undefined
  /** The minimum number of rows in a complete directory. */
  minRows?: number
}

const northernIrelandPattern = /^BT\d/

/** Loads a published directory beside the current edition and switches to it if its coverage is sufficient. After a failure the old edition stays current, and the error names the file, columns or numbers. */
export async function loadDirectory(
  geography: D1Database,
  path: string,
  options: LoadOptions = {},
  progress: ReadProgress = () => {},
): Promise<{ edition: string; coverage: Coverage }> {
  const source = await openSource(path, options.names)
  const { edition } = source
  const names = await readNames(source.nameFiles)
  const { header, rows } = await readDirectoryRows(source, progress)
  const columns = findColumns(header, source.file, edition)
  const withNorthernIreland = options.northernIreland === true
  const generation = await Generation.start(geography, edition, withNorthernIreland)
  const numbering = new Numbering(names, generation)
  const counts = { rows: 0, northernIrelandLeftOut: 0, live: 0, liveWithWard: 0, liveWithLad: 0 }

  for await (const row of rows) {
    const postcode = toLookupKey(row[columns.postcode] ?? '')
    if (postcode === '') throw new CommandError(`${source.file} has a row without a postcode.`)
    if (northernIrelandPattern.test(postcode) && !withNorthernIreland) {
      counts.northernIrelandLeftOut++
      continue
    }
    const codes = columns.areas.map((column) => (column === undefined ? '' : (row[column] ?? '')))
    generation.add('postcodes', [postcode, numbering.combination(codes)])
    counts.rows++
    if (row[columns.terminated]?.trim() === '' && !numbering.isCrownDependency(codes)) {
      counts.live++
      if (numbering.isArea('ward', codes)) counts.liveWithWard++
      if (numbering.isArea('lad', codes)) counts.liveWithLad++
    }
    if (generation.isFull) await generation.write()
  }

  await generation.write()
  const coverage = { ...counts, codes: numbering.codes() }
  const errors = findShortfalls(coverage, options.minRows ?? minRows)
  if (errors.length > 0) {
    throw new CommandError(`${source.file} cannot be used: ${errors.join('; ')}.`)
  }
  await generation.serve(coverage)
  return { edition, coverage }
}
