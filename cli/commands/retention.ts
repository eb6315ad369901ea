import { type Command, InvalidArgumentError } from 'commander'
import { propertiesOfFields, propertiesOfRecord } from '../../src/dashboard/records/properties.ts'
import { Age } from '../../src/model/age.ts'
import { collectionNames } from '../../src/model/collection-names.ts'
import { words } from '../../src/model/words.ts'
import { operatorStore } from '../../src/operator/store.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { type Applied, applied, applyPart, dayAt, retained } from '../../src/records/retention.ts'
import { resources } from '../../src/resources/resources.ts'
import {
  datedIn,
  inWords,
  type Rule,
  removeRule,
  rulesOf,
  setRule,
} from '../../src/store/retention.ts'
import { schemasOf } from '../../src/store/schemas.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action, by } from './action.ts'
import { demandOrganisation } from './organisations.ts'

/** `retention set`, `list`, `remove` and `run`: how long records are kept (additions 5). */
export function retentionCommands(program: Command): void {
  const retention = program
    .command('retention')
    .description('How long records are kept. What is too old is removed each day.')
  retention
    .command('set <organisation> <collection>')
    .description('Remove records of a collection, each day, once a date in them is so old.')
    .requiredOption('--after <age>', 'in days, months or years, such as "7 years"', age)
    .requiredOption('--by <field>', 'the date, such as date')
    .action(
      action<{ after: string; by: string }>(
        async ({ DB }, [organisationId = '', collection = ''], { after, by: field }) => {
          await demandOrganisation(DB, organisationId)
          await demandDate(DB, organisationId, collection, field)
          const rule = { organisationId, collection, field, age: after }
          await setRule(DB, rule, by)
          return { json: rule, lines: [`set: ${inWords(rule)}`, firstTried] }
        },
      ),
    )
  retention
    .command('list <organisation>')
    .description('List the rules of an organisation, and what came of their last day.')
    .action(
      action(async ({ DB }, [organisationId = '']) => {
        await demandOrganisation(DB, organisationId)
        const rules = await rulesOf(operatorStore(DB, organisationId))
        return {
          json: { rules },
          lines: rules.map((rule) => {
            const { done, removed, kept } = rule
            const last = done ? `${done}: ${removed} removed, ${kept} kept` : 'not run yet'
            return `${inWords(rule)}  ${last}`
          }),
        }
      }),
    )
  retention
    .command('remove <organisation> <collection>')
    .description('Keep the records of a collection however old they become.')
    .action(
      action(async ({ DB }, [organisationId = '', collection = '']) => {
        if (!(await removeRule(DB, { organisationId, collection }, by)))
          throw new Refusal(`There is no rule for ${collection} of ${organisationId}.`)
        return { json: { organisationId, collection }, lines: [`removed: ${collection}`] }
      }),
    )
  retention
    .command('run <organisation>')
    .description('Remove what is too old now, without waiting for the daily run.')
    .option('--dry-run', 'only list what would be removed')
    .action(
      action<{ dryRun?: true }>(async (bindings, [organisationId = ''], { dryRun }) => {
        const { DB } = bindings
        await demandOrganisation(DB, organisationId)
        const reports: Ran[] = []
        // Events before their bookings: a dry run, which removes no booking, then says the same of events.
        for (const rule of await rulesOf(operatorStore(DB, organisationId)))
          reports.push(await run(bindings, rule, dryRun === true))
        return {
          json: { rules: reports },
          lines: reports.flatMap((report) => linesOf(report, dryRun === true)),
        }
      }),
    )
}

const firstTried =
  'It is applied once it has been set for a day. Until then, retention run --dry-run lists what it would remove.'

type Ran = Pick<Rule, 'collection' | 'field' | 'age'> & {
  removed: string[]
  kept: { id: string; namedBy: Record<string, number> }[]
  undated: number
}

async function run(bindings: Databases, rule: Rule, dry: boolean): Promise<Ran> {
  const { DB } = bindings
  const { organisationId, collection, field, age } = rule
  const { total, dated } = await datedIn(operatorStore(DB, organisationId), collection, field)
  const day = dayAt(Date.now())
  const of = retained(bindings, organisationId)
  const whole = { ...rule, place: null }
  const records = dry
    ? await Array.fromAsync(applied(of, whole, day, true))
    : await applyPart(DB, of, whole, day, { by, most: Number.POSITIVE_INFINITY })
  const whose = (outcome: Applied['outcome']) => records.filter((one) => one.outcome === outcome)
  return {
    ...{ collection, field, age },
    removed: whose('removed').map(({ id }) => id),
    kept: whose('kept').map(({ id, namedBy }) => ({ id, namedBy: Object.fromEntries(namedBy) })),
    undated: total - dated,
  }
}

function linesOf({ removed, kept, undated, ...rule }: Ran, dry: boolean): string[] {
  const named = (namedBy: Record<string, number>) =>
    Object.entries(namedBy).map(([name, count]) => `${count} of the ${words(name)}`)
  return [
    `${inWords(rule)}: ${removed.length} ${dry ? 'would be ' : ''}removed, ${kept.length} kept as others name them, ${undated} without the date stay`,
    ...removed.map((id) => `  ${id}`),
    ...kept.map(({ id, namedBy }) => `  ${id} is kept: named by ${named(namedBy).join(', ')}`),
  ]
}

/** Refuses a field that is no date of the collection's. */
async function demandDate(
  DB: D1Database,
  organisationId: string,
  name: string,
  field: string,
): Promise<void> {
  const load = collectionNames.includes(name) ? resources[name] : undefined
  if (!load) throw new Refusal(`collection: must be one of ${collectionNames.join(', ')}.`)
  const { collection, kind } = await load()
  const { [kind ?? 'members']: schema } = await schemasOf(DB, organisationId)
  const properties = collection
    ? propertiesOfRecord(collection.record, collection.id)
    : propertiesOfFields(schema?.fields ?? [])
  const dates = properties.filter(({ kind }) => kind === 'date' || kind === 'time')
  if (dates.some(({ name }) => name === field)) return
  const names = dates.map(({ name }) => name).join(', ')
  throw new Refusal(
    names
      ? `--by: must be a date of the ${name}: ${names}.`
      : `--by: the ${name} have no field that is a date.`,
  )
}

function age(text: string): string {
  const { data, error } = Age.safeParse(text)
  if (data !== undefined) return data
  throw new InvalidArgumentError(`It ${error.issues[0]?.message}`)
}
