import { Command, InvalidArgumentError } from 'commander'
import {
  assumptions,
  type Bill,
  estimateUsage,
  type Installation,
  priceUsage,
} from './cost/bill.ts'
import { measured } from './cost/measured.ts'
import { planUsd, prices, pricesRead } from './cost/prices.ts'

const { json, ...installation } = new Command('npm run cost --')
  .description("Estimate an installation's monthly bill on Cloudflare's Workers Paid plan.")
  .requiredOption('--organisations <number>', 'how many organisations', wholeNumber(1, 100_000))
  .requiredOption('--members <number>', 'members of each organisation', wholeNumber(0, 10_000_000))
  .requiredOption(
    '--requests <number>',
    'requests a day by all organisations together',
    wholeNumber(0, 1_000_000_000),
  )
  .option('--json', 'print JSON', false)
  .parse()
  .opts<Installation & { json: boolean }>()

const first = priceUsage(estimateUsage(installation, 'first'))
const later = priceUsage(estimateUsage(installation, 'later'))
console.log(
  json
    ? JSON.stringify({
        installation,
        first,
        later,
        planUsd,
        prices,
        pricesRead,
        assumptions,
        measured,
      })
    : [describe(installation), tableOfBills(), listAssumptions(), tableOfPrices()].join('\n\n'),
)

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

function describe({ organisations, members, requests }: Installation): string {
  return [
    `Organisations: ${formatNumber(organisations)}; members of each: ${formatNumber(members)}; requests a day by all together: ${formatNumber(requests)}.`,
    `The month in which the members are loaded costs $${first.totalUsd.toFixed(2)}, and a later month $${later.totalUsd.toFixed(2)}:`,
  ].join('\n')
}

function tableOfBills(): string {
  const amounts = ({ lines }: Bill) =>
    lines.map(({ used, usd }) => [formatNumber(used), usd.toFixed(2)])
  const [firstAmounts, laterAmounts] = [amounts(first), amounts(later)]
  const rows = first.lines.map(({ meter }, index) => [
    prices[meter].name,
    ...[...(firstAmounts[index] ?? []), ...(laterAmounts[index] ?? [])],
  ])
  return table([
    ['', 'First month', '$', 'Later month', '$'],
    ['The plan', '', planUsd.toFixed(2), '', planUsd.toFixed(2)],
    ...rows,
    ['Total', '', first.totalUsd.toFixed(2), '', later.totalUsd.toFixed(2)],
  ])
}

function listAssumptions(): string {
  const it = { ...measured, ...assumptions }
  const kilobytes = ((it.bytesPerLogLine + it.bytesAddedToLogLine) / 1000).toFixed(1)
  return [
    'The amounts are upper limits, if this is so:',
    '',
    `- A month has ${it.daysPerMonth} days. The postcode directory is loaded once a month.`,
    `- Loading a member writes ${it.rowsWrittenPerLoadedRecord} rows, once, and takes ${formatNumber(it.bytesPerRecord)} bytes with its index. Other records write up to ${it.maxRowsWrittenPerLoadedRecord}, if they have all their properties: count each as up to two members.`,
    `- Each request reads a page of 100 members that the service does not remember, in their order: ${it.rowsReadPerPage} rows, one more for each ${1 / it.rowsReadPerPageAndMember} members, and ${it.cpuMsPerPage} ms of CPU time. Every ${it.requestsPerNewIsolate}th starts a new isolate, for ${it.cpuMsPerIsolate} ms.`,
    `- Each request reads its key from KV and writes ${it.rowsWrittenPerUse} rows of usage, as if no two of them met in the same isolate and minute.`,
    `- Each member changes ${it.changesPerMemberAndMonth === 1 ? 'once' : `${it.changesPerMemberAndMonth} times`} a month, in a request of its own: ${it.rowsWrittenPerChange} rows written, ${it.bytesPerChange} bytes of history and previous versions, ${it.cpuMsPerChange} ms.`,
    `- Each organisation has ${it.webhooksPerOrganisation} webhook for all changes: ${it.queueOperationsPerMessage} operations of the queue for each change, a run of its consumer, and ${it.rowsWrittenPerMessage} rows written and ${it.cpuMsPerPage} ms for the message.`,
    `- One request in ${it.requestsPerRefusal} is refused and logged: a line of ${kilobytes} KB with the fields that Cloudflare adds, stored for ${it.daysOfLogs} days. There are no traces.`,
    `- The schedule runs each minute: ${it.cpuMsPerScheduledRun} ms, ${it.rowsReadPerScheduledRun} rows read and ${it.rowsReadPerScheduledRunAndWebhook} for each webhook. It measures each organisation once a day: ${it.rowsReadPerMeasuredRecord} row read for each record. In organisations of 20,000 records and more it packs changed records for summaries: up to ${it.rowsReadPerPackedRecord} rows read and ${it.rowsWrittenPerPackedRecord} written for each.`,
  ].join('\n')
}

function tableOfPrices(): string {
  const rows = Object.values(prices).map(({ name, included, usd, per, source }) => [
    name,
    formatNumber(included),
    `$${usd < 0.01 ? usd : usd.toFixed(2)} for ${formatNumber(per)}`,
    source,
  ])
  return [
    `Prices of the Workers Paid plan, compared on ${pricesRead} with stored copies of these pages; the price of logs applies from 1 December 2026. Check them before you rely on them:`,
    table([['', 'Included each month', 'Beyond that', 'Source'], ...rows]),
  ].join('\n\n')
}

/** A Markdown table with columns of equal width. */
function table(rows: string[][]): string {
  const [head = []] = rows
  const widths = head.map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const [top, ...rest] = [head, widths.map((width) => '-'.repeat(width)), ...rows.slice(1)].map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  return [top, ...rest].join('\n')
}

function formatNumber(number: number): string {
  return number.toLocaleString('en-GB', { maximumFractionDigits: 2 })
}
