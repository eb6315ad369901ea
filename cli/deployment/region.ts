import { CommandError } from '../terminal/report.ts'

/** The jurisdictions that D1, KV and Queues accept for new storage. */
const jurisdictions = ['eu', 'fedramp', 'us'] as const

const noJurisdiction = 'none'

/** The values of `--jurisdiction`. */
export const jurisdictionChoices = [...jurisdictions, noJurisdiction] as const

/** The values of `--location`. Only D1 has locations. */
export const locationChoices = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam'] as const

/** The region of new storage, which cannot change later. */
export type Region = {
  jurisdiction: (typeof jurisdictionChoices)[number]
  location?: (typeof locationChoices)[number]
}

/** Throws CommandError for a location in a jurisdiction, because D1 ignores it there. */
export function checkRegion({ jurisdiction, location }: Region): void {
  if (location && jurisdiction !== noJurisdiction) {
    throw new CommandError(
      `--location needs --jurisdiction ${noJurisdiction}: D1 ignores a location in a jurisdiction.`,
    )
  }
}

/** Wrangler's arguments for new storage. */
export const jurisdictionArgs = ({ jurisdiction }: Region): string[] =>
  jurisdiction === noJurisdiction ? [] : ['--jurisdiction', jurisdiction]

/** Wrangler's arguments for a new database. */
export const databaseArgs = (region: Region): string[] => [
  ...jurisdictionArgs(region),
  ...(region.location ? ['--location', region.location] : []),
]

/** Describes the region of a new database, such as `in the jurisdiction eu`. */
export const describeRegion = ({ jurisdiction, location }: Region): string =>
  jurisdiction === noJurisdiction
    ? ['without a jurisdiction', ...(location ? [`near ${location}`] : [])].join(', ')
    : `in the jurisdiction ${jurisdiction}`

/** Describes the region of an existing database. */
export const describeExisting = (jurisdiction: string | null | undefined): string =>
  jurisdiction === undefined
    ? 'and keeps its jurisdiction'
    : `${jurisdiction === null ? 'without a jurisdiction' : `in the jurisdiction ${jurisdiction}`}, which cannot change`
