import { type Command, InvalidArgumentError } from 'commander'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { formatCount } from '../../src/platform/pluralise.ts'
import { readUsage, type Usage } from '../../src/store/settings/usage.ts'
import { describeSize, readSize } from '../../src/store/sizes.ts'
import { organisationAction } from './action.ts'

/** `usage`: lists requests, records and rows read per key, and the size of the organisation. */
export function usageCommand(program: Command): void {
  program
    .command('usage <organisation>')
    .description(
      'List the requests of each key, the records it received and the rows read for them, by day, and the size of the organisation.',
    )
    .option('--days <number>', 'the number of days, including today', parseDays, 30)
    .action(
      organisationAction<{ days: number }>(async ({ DB }, [organisationId = ''], { days }) => {
        const usage = await readUsage(operatorStore(DB, organisationId), { days, daily: true })
        const size = await readSize(DB, organisationId)
        return {
          json: { usage, size },
          lines: [...usage.map(describeUse), ...(size ? [describeSize(size)] : [])],
        }
      }),
    )
}

function describeUse({ day, keyId, key, collection, requests, records, rowsRead }: Usage): string {
  const counts = [
    formatCount(requests, 'request'),
    formatCount(records, 'record'),
    `${formatCount(rowsRead, 'row')} read`,
  ]
  return `${day}  ${key ?? `a deleted key, ${keyId}`}  ${collection}  ${counts.join(', ')}`
}

function parseDays(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= 400) return number
  throw new InvalidArgumentError('It must be a whole number from 1 to 400.')
}
