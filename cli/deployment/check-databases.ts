import { normalize } from 'node:path'

/** A database as wrangler.toml lists it. */
export type RawDatabase = { binding: string; database_name?: unknown; migrations_dir?: unknown }

const geography = 'GEOGRAPHY'

/** The migrations of a binding's database: a folder in the repository, or undefined for an unknown binding. */
function migrationsOf(binding: string): string | undefined {
  if (binding === geography) return 'migrations/geography'
  return recordsNumber(binding) === undefined ? undefined : 'migrations/records'
}

/** The number of a database with records, which is 0 for `DB` and 2 for `DB_2`. */
function recordsNumber(binding: string): number | undefined {
  if (binding === 'DB') return 0
  const [, digits] = /^DB_([1-9]\d{0,2})$/.exec(binding) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The problems with the databases of a section of wrangler.toml, such as `env.production.`. */
export function checkDatabases(databases: readonly RawDatabase[], section: string): string[] {
  const list = `[[${section}d1_databases]]`
  const bindings = databases.map(({ binding }) => binding)
  const numbers = bindings.flatMap((binding) => recordsNumber(binding) ?? [])
  const highest = Math.max(0, ...numbers)
  const missing = [
    ...Array.from({ length: highest + 1 }, (_, number) => number)
      .filter((number) => !numbers.includes(number))
      .map((number) => (number === 0 ? 'DB' : `DB_${number}`)),
    ...(bindings.includes(geography) ? [] : [geography]),
  ]
  return [
    ...missing.map((binding) =>
      binding.startsWith('DB_')
        ? `${list} with binding = "${binding}" is missing: the numbers must be without gaps up to DB_${highest}.`
        : `${list} with binding = "${binding}" is missing.`,
    ),
    ...[...new Set(bindings)]
      .filter((binding) => bindings.indexOf(binding) !== bindings.lastIndexOf(binding))
      .map((binding) => `${list}: binding = "${binding}" appears twice.`),
    ...databases.flatMap((database) =>
      checkDatabase(database).map((problem) => `${list}: ${problem}`),
    ),
  ]
}

function checkDatabase({ binding, database_name, migrations_dir }: RawDatabase): string[] {
  const migrations = migrationsOf(binding)
  if (!migrations)
    return [`binding = "${binding}" must be DB, DB_1, DB_2 and so on, or ${geography}.`]
  const isName = typeof database_name === 'string' && /^[a-z0-9][a-z0-9_-]*$/.test(database_name)
  const folder = typeof migrations_dir === 'string' ? migrations_dir : ''
  return [
    ...(isName
      ? []
      : [
          `${binding} needs a database_name of lower-case letters, digits, hyphens and underscores.`,
        ]),
    ...(normalize(`${folder}/`) === `${migrations}/`
      ? []
      : [`${binding} needs migrations_dir = "${migrations}".`]),
  ]
}
