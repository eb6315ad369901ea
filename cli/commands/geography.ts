import type { Command } from 'commander'
import { refreshAreas } from '../../src/admin/refresh-areas.ts'
import { areas } from '../../src/geography/areas.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { readServingEdition } from '../geography/edition.ts'
import { type LoadOptions, loadDirectory } from '../geography/load.ts'
import type { ReadProgress } from '../geography/rows.ts'
import { startProgressBar } from '../terminal/progress.ts'
import { CommandError, type Report } from '../terminal/report.ts'
import { databaseAction, organisationAction } from './action.ts'

type Geography = Pick<Databases, 'GEOGRAPHY'>

/** `geography load`, `refresh` and `status`: the postcode directory. */
export function geographyCommands(program: Command): void {
  const geography = program.command('geography').description('Manage the postcode directory.')
  geography
    .command('load <directory>')
    .description(
      'Load the ONS Postcode Directory from a .zip or .csv file and replace the current edition.',
    )
    .option('--names <folder>', 'a folder of name files (Documents in the zip)')
    .option('--northern-ireland', 'also load Northern Ireland (needs a licence)')
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
    .description("Update the areas of an organisation's people from the current edition.")
    .action(
      organisationAction(async ({ DB, GEOGRAPHY }, [organisationId = '']) => {
        if (!(await readServingEdition(GEOGRAPHY))) throw new CommandError(noDirectoryMessage)
        const schemas = await readSchemas(DB, organisationId)
        const people = await refreshAreas(DB, GEOGRAPHY, organisationId, schemas)
        return {
          json: { people },
          lines: [`${people} people have areas from the current edition.`],
        }
      }),
    )
  geography
    .command('status')
    .description('Show the current edition and its coverage.')
    .action(databaseAction((bindings) => geographyStatus(bindings)))
}

const noDirectoryMessage =
  'No postcode directory is loaded, so nothing was changed. Load one first: npm run admin -- geography load <directory>'

/** `geography load`: loads the ONS Postcode Directory and reports its coverage. */
export async function loadGeography(
  { GEOGRAPHY }: Geography,
  path: string,
  options: LoadOptions,
  progress: ReadProgress,
): Promise<Report> {
  await loadDirectory(GEOGRAPHY, path, options, progress)
  return geographyStatus({ GEOGRAPHY })
}

/** `geography status`: prints the current edition with its rows, date and gaps. */
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
