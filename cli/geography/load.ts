import { lookupKey } from '../../src/geography/lookup.ts'
import { Refusal } from '../terminal/refusal.ts'
import { columnsOf } from './columns.ts'
import { type Coverage, leastRows, shortfalls } from './coverage.ts'
import { Generation } from './generation.ts'
import { readNames } from './names.ts'
import { Numbering } from './numbering.ts'
import { type Progress, rowsOf } from './rows.ts'
import { openSource } from './source.ts'

export type LoadOptions = {
  /** A folder of name files, which come on top of those in the zip. */
  names?: string | undefined
  /** Whether to load Northern Ireland, whose postcodes are not under the Open Government Licence. */
  northernIreland?: boolean | undefined
  /** How many rows a whole directory has at least; a smaller one is refused. */
  leastRows?: number
}

const inNorthernIreland = /^BT\d/

/** Loads a published directory beside the one that serves, and lets it serve instead if its coverage is good. Whatever fails, the old one serves on; the file, the columns or the numbers at fault are in the error. */
export async function loadDirectory(
  geography: D1Database,
  path: string,
  options: LoadOptions = {},
  progress: Progress = () => {},
): Promise<{ edition: string; coverage: Coverage }> {
  const source = await openSource(path, options.names)
  const { edition } = source
  const names = await readNames(source.nameFiles)
  const { header, rows } = await rowsOf(source, progress)
  const columns = columnsOf(header, source.file, edition)
  const withNorthernIreland = options.northernIreland === true
  const generation = await Generation.begin(geography, edition, withNorthernIreland)
  const numbering = new Numbering(names, generation)
  const counted = { rows: 0, northernIrelandLeftOut: 0, live: 0, liveWithWard: 0, liveWithLad: 0 }

  for await (const row of rows) {
    const postcode = lookupKey(row[columns.postcode] ?? '')
    if (postcode === '') throw new Refusal(`${source.file} has a row without a postcode.`)
    if (inNorthernIreland.test(postcode) && !withNorthernIreland) {
      counted.northernIrelandLeftOut++
      continue
    }
    const codes = columns.areas.map((column) => (column === undefined ? '' : (row[column] ?? '')))
    generation.add('postcodes', [postcode, numbering.combination(codes)])
    counted.rows++
    if (row[columns.terminated]?.trim() === '' && !numbering.isCrownDependency(codes)) {
      counted.live++
      if (numbering.isArea('ward', codes)) counted.liveWithWard++
      if (numbering.isArea('lad', codes)) counted.liveWithLad++
    }
    if (generation.isFull) await generation.write()
  }

  await generation.write()
  const coverage = { ...counted, codes: numbering.codes() }
  const faults = shortfalls(coverage, options.leastRows ?? leastRows)
  if (faults.length > 0) {
    throw new Refusal(`${source.file} is not put to use: ${faults.join('; ')}.`)
  }
  await generation.serve(coverage)
  return { edition, coverage }
}
