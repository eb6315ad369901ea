import { type Command, InvalidArgumentError } from 'commander'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { listDateFields } from '../../src/admin/settings/date-fields.ts'
import { Age } from '../../src/model/age-input.ts'
import { collectionNames, collectionTitle } from '../../src/model/collection.ts'
import { londonDay } from '../../src/model/timestamp.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import {
  applyRule,
  applyRuleInParts,
  type RetentionResult,
  retentionContext,
} from '../../src/records/retention.ts'
import {
  dateFields,
  describeRetentionRule,
  listRules,
  type RetentionRule,
  removeRule,
  setRule,
} from '../../src/store/settings/retention.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { CommandError } from '../terminal/report.ts'
import { by, organisationAction } from './action.ts'

/** `retention set`, `list`, `remove` and `run`: the retention rules. */
export function retentionCommands(program: Command): void {
  const retention = program
    .command('retention')
    .description('Manage retention rules. Expired records are removed every day.')
  retention
    .command('set <organisation> <collection>')
    .description('Remove records of a collection every day once a date in them reaches an age.')
    .requiredOption(
      '--after <age>',
      'the age in days, months or years, such as "7 years"',
      parseAge,
    )
    .requiredOption('--by <field>', 'the date field, such as date')
    .action(
      organisationAction<{ after: string; by: string }>(
        async ({ DB }, [organisationId = '', collection = ''], { after, by: field }) => {
          await requireDateField(DB, organisationId, collection, field)
          const rule = { collection, field, age: after }
          await setRule(operatorStore(DB, organisationId), rule)
          return {
            json: { organisationId, ...rule },
            lines: [`set: ${describeRetentionRule(rule)}`, firstRunNote],
          }
        },
      ),
    )
  retention
    .command('list <organisation>')
    .description('List the rules of an organisation and their last results.')
    .action(
      organisationAction(async ({ DB }, [organisationId = '']) => {
        const rules = await listRules(operatorStore(DB, organisationId))
        return {
          json: { rules },
          lines: rules.map((rule) => {
            const { completedOn, removed, kept } = rule
            const last = completedOn
              ? `${completedOn}: ${removed} removed, ${kept} kept`
              : 'not run yet'
            return `${describeRetentionRule(rule)}  ${last}`
          }),
        }
      }),
    )
  retention
    .command('remove <organisation> <collection>')
    .description('Remove the rule of a collection, so that its records stay.')
    .action(
      organisationAction(async ({ DB }, [organisationId = '', collection = '']) => {
        if (!(await removeRule(operatorStore(DB, organisationId), collection)))
          throw new CommandError(`There is no rule for ${collection} of ${organisationId}.`)
        return { json: { organisationId, collection }, lines: [`removed: ${collection}`] }
      }),
    )
  retention
    .command('run <organisation>')
    .description('Remove expired records now, without waiting for the daily run.')
    .option('--dry-run', 'only list what would be removed')
    .action(
      organisationAction<{ dryRun?: true }>(async (bindings, [organisationId = ''], { dryRun }) => {
        const { DB } = bindings
        const reports: RuleRun[] = []
        // Runs events before their bookings, so that a dry run, which removes no bookings, reports
        // the same events.
        for (const rule of await listRules(operatorStore(DB, organisationId)))
          reports.push(await runRule(bindings, rule, dryRun === true))
        return {
          json: { rules: reports },
          lines: reports.flatMap((report) => formatRun(report, dryRun === true)),
        }
      }),
    )
}

const firstRunNote =
  'It is applied once it has been set for a day. Until then, retention run --dry-run lists what it would remove.'

type RuleRun = Pick<RetentionRule, 'collection' | 'field' | 'age'> & {
  removed: string[]
  kept: { id: string; namedBy: Record<string, number> }[]
  undated: number
}

async function runRule(
  bindings: Databases,
  rule: RetentionRule,
  dryRun: boolean,
): Promise<RuleRun> {
  const { DB } = bindings
  const { organisationId, collection, field, age } = rule
  const { total, dated } = await dateFields(operatorStore(DB, organisationId), collection, field)
  const day = londonDay(Date.now())
  const context = retentionContext(bindings, organisationId)
  const wholeRule = { ...rule, cursor: null }
  const records = dryRun
    ? await Array.fromAsync(applyRule(context, wholeRule, day, true))
    : await applyRuleInParts(DB, context, wholeRule, day, {
        by,
        maxRecords: Number.POSITIVE_INFINITY,
      })
  const withOutcome = (outcome: RetentionResult['outcome']) =>
    records.filter((record) => record.outcome === outcome)
  return {
    collection,
    field,
    age,
    removed: withOutcome('removed').map(({ id }) => id),
    kept: withOutcome('kept').map(({ id, namedBy }) => ({
      id,
      namedBy: Object.fromEntries(namedBy),
    })),
    undated: total - dated,
  }
}

function formatRun({ removed, kept, undated, ...rule }: RuleRun, dryRun: boolean): string[] {
  const formatReferences = (namedBy: Record<string, number>) =>
    Object.entries(namedBy).map(([name, count]) => `${count} of the ${collectionTitle(name)}`)
  return [
    `${describeRetentionRule(rule)}: ${removed.length} ${dryRun ? 'would be ' : ''}removed, ${kept.length} kept because other records reference them, ${undated} without the date stay`,
    ...removed.map((id) => `  ${id}`),
    ...kept.map(
      ({ id, namedBy }) => `  ${id} is kept: referenced by ${formatReferences(namedBy).join(', ')}`,
    ),
  ]
}

/** Throws if a field is not a date field of the collection. */
async function requireDateField(
  DB: D1Database,
  organisationId: string,
  name: string,
  field: string,
): Promise<void> {
  const dates = await listDateFields(name, await readSchemas(DB, organisationId))
  if (!dates) throw new CommandError(`collection: must be one of: ${collectionNames.join(', ')}.`)
  if (dates.includes(field)) return
  throw new CommandError(
    dates.length > 0
      ? `--by: must be a date of the ${name}: ${dates.join(', ')}.`
      : `--by: the ${name} have no field that is a date.`,
  )
}

function parseAge(text: string): string {
  const { data, error } = Age.safeParse(text)
  if (data !== undefined) return data
  throw new InvalidArgumentError(`It ${error.issues[0]?.message}`)
}
