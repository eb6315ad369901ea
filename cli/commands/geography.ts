import type { Command } from 'commander'
import { refreshAreas } from '../../src/admin/refresh-areas.ts'
import { areas } from '../../src/geography/areas.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { readSchemas } from '../../src/store/schemas.ts'
import { readServingEdition } from '../geography/edition.ts'
import { type LoadOptions, loadDirectory } from '../geography/load.ts'
import type { ReadProgress } from '../geography/rows.ts'
import { startProgressBar } from '../terminal/progress.ts'
import { CommandError } from '../terminal/refusal.ts'
import { databaseAction, type Report } from './action.ts'

type Geography = Pick<Databases, 'GEOGRAPHY'>

/** `geography load`, `refresh` and `status`: the directory by which postcodes are placed (decisions 8). */
export function geographyCommands(program: Command): void {
  const geography = program.command('geography').description('The directory of postcodes.')
  geography
    .command('load <directory>')
    .description(
      'Load the ONS Postcode Directory, a .zip or .csv, in place of the one that serves.',
    )
    .option('--names <folder>', 'a folder of name files (Documents in the zip)')
    .option('--northern-ireland', 'load Northern Ireland too, for which you need a licence')
    .action(
      databaseAction<LoadOptions>(async (bindings, [directory = ''], options) => {
        const bar = startProgressBar('Loading')
        try {
          return await loadGeography(bindings, directory, options, bar.update)
        } finally {
          bar.stop()
        }
      }),
    )
  geography
    .command('refresh <organisation>')
    .description("Place an organisation's people anew by the edition that serves.")
    .action(
      databaseAction(async ({ DB, GEOGRAPHY }, [organisationId = '']) => {
        if (!(await readServingEdition(GEOGRAPHY))) throw new CommandError(noDirectoryMessage)
        const schemas = await readSchemas(DB, organisationId)
        const people = await refreshAreas(DB, GEOGRAPHY, organisationId, schemas)
        return {
          json: { people },
          lines: [`${people} people are placed by the edition that serves.`],
        }
      }),
    )
  geography
    .command('status')
    .description('Tell which edition serves, and what it covers.')
    .action(databaseAction((bindings) => geographyStatus(bindings)))
}

const noDirectoryMessage =
  'No postcode directory is loaded, so nothing was changed. Load one first: npm run admin -- geography load <directory>'

/** `geography load`: loads the ONS Postcode Directory and reports what now serves. */
export async function loadGeography(
  { GEOGRAPHY }: Geography,
  path: string,
  options: LoadOptions,
  progress: ReadProgress,
): Promise<Report> {
  await loadDirectory(GEOGRAPHY, path, options, progress)
  return geographyStatus({ GEOGRAPHY })
}

/** `geography status`: the edition that serves, with its rows, its date and what it does not cover. */
export async function geographyStatus({ GEOGRAPHY }: Geography): Promise<Report> {
  const serving = await readServingEdition(GEOGRAPHY)
  if (!serving) {
    return { json: { edition: null }, lines: ['No directory is loaded: nothing is enriched.'] }
  }
  const { edition, loaded, northernIreland, coverage } = serving
  const { rows, live, liveWithWard, liveWithLad, codes, northernIrelandLeftOut } = coverage
  const unnamed = areas.flatMap(({ key, label }) => {
    const number = codes[key]?.unnamed ?? 0
    return number > 0 ? [`${label} ${formatCount(number)}`] : []
  })
  const lines = [
    `ONS Postcode Directory ${edition}: ${formatCount(rows)} postcodes, loaded ${loaded}.`,
    `Of ${formatCount(live)} live postcodes ${formatShare(liveWithWard, live)} have a ward, ${formatShare(liveWithLad, live)} a local authority district.`,
    `Codes without a name: ${unnamed.join(', ') || 'none'}.`,
    northernIreland
      ? 'Northern Ireland is included: its postcodes are not under the Open Government Licence.'
      : `Northern Ireland (BT, ${formatCount(northernIrelandLeftOut)} postcodes) is left out: it is not under the Open Government Licence. If you have a licence for it, load with --northern-ireland.`,
  ]
  return { json: serving, lines }
}

const formatCount = (number: number) => number.toLocaleString('en-GB')
const formatShare = (part: number, total: number) =>
  total === 0 ? 'none' : `${((100 * part) / total).toFixed(1)} %`
