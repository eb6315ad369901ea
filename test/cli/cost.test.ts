import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bill, estimateUsage, type Installation, priceUsage } from '../../cli/cost/bill.ts'
import { measured } from '../../cli/cost/measured.ts'
import { type Meter, planUsd, prices } from '../../cli/cost/prices.ts'

const run = promisify(execFile)

const cost = (...args: string[]) =>
  run(process.execPath, ['cli/cost.ts', ...args]).then(
    ({ stdout }) => stdout,
    ({ stderr }) => stderr,
  )

const example = ['--organisations', '50', '--members', '20000', '--requests', '50000']

const read = (path: string) => readFileSync(path, 'utf8')

const usageOf = (amount: (meter: Meter) => number) =>
  Object.fromEntries(Object.keys(prices).map((meter) => [meter, amount(meter as Meter)])) as Record<
    Meter,
    number
  >

describe('a bill', () => {
  test('is the plan for no usage and for all that the plan includes', () => {
    expect(priceUsage(usageOf(() => 0)).totalUsd).toBe(planUsd)
    expect(priceUsage(usageOf((meter) => prices[meter].included)).totalUsd).toBe(planUsd)
    const small = { organisations: 1, members: 1000, requests: 1000 }
    expect(priceUsage(estimateUsage(small, 'first')).totalUsd).toBe(planUsd)
  })

  test.each(Object.keys(prices) as Meter[])('charges for %s beyond the included', (charged) => {
    const { included, per, usd } = prices[charged]
    const over = (units: number) =>
      priceUsage(usageOf((meter) => (meter === charged ? included + units * per : 0)))
    expect(over(100).totalUsd - planUsd).toBeCloseTo(100 * usd)
    expect(over(200).totalUsd - over(100).totalUsd).toBeCloseTo(100 * usd)
  })

  test('adds up, and grows with everything', () => {
    const installation = fc.record({
      organisations: fc.nat(1000),
      members: fc.nat(1_000_000),
      requests: fc.nat(100_000_000),
    })
    fc.assert(
      fc.property(installation, installation, (one, more) => {
        const both = {
          organisations: one.organisations + more.organisations,
          members: one.members + more.members,
          requests: one.requests + more.requests,
        }
        const bill = (of: Installation, month: 'first' | 'later') =>
          priceUsage(estimateUsage(of, month))
        const [small, large] = [bill(one, 'later'), bill(both, 'later')]
        for (const [index, { usd }] of small.lines.entries())
          expect(large.lines[index]?.usd).toBeGreaterThanOrEqual(usd)
        expect(bill(one, 'first').totalUsd).toBeGreaterThanOrEqual(small.totalUsd)
        const sum = large.lines.reduce((total, { usd }) => total + usd, planUsd)
        expect(large.totalUsd).toBeCloseTo(sum, 2)
      }),
    )
  })
})

test('the CPU times and the size of a member are those of the bench', () => {
  const results = read('bench/RESULTS.md')
  for (const [figure, pattern] of [
    [measured.bytesPerRecord / 1024, /a member on disk, with its index \| ([\d.]+) KiB/],
    [measured.cpuMsPerPage, /A page of 100 members, first request \| ([\d.]+) ms/],
    [measured.cpuMsPerIsolate, /first answer, GET \/members\?.*\(([\d.]+) ms/],
    [measured.cpuMsPerChange, /POST \/members, median \| ([\d.]+) ms/],
  ] as const) {
    const ratio = Number(pattern.exec(results)?.[1]) / figure
    expect(ratio, String(pattern)).toBeGreaterThan(0.75)
    expect(ratio, String(pattern)).toBeLessThan(1.25)
  }
})

test('the command prints what the guide shows, and JSON', async () => {
  const [text, json] = await Promise.all([cost(...example), cost(...example, '--json')])
  expect(read('docs/operating.md')).toContain(text)
  const { first, later }: Record<string, Bill> = JSON.parse(json)
  expect(text).toContain(
    `costs $${first?.totalUsd.toFixed(2)}, and a later month $${later?.totalUsd.toFixed(2)}`,
  )
})

test.each([
  [
    ['--members', '1', '--requests', '1'],
    "required option '--organisations <number>' not specified",
  ],
  [[...example, '--organisations', '0'], 'It must be a whole number from 1 to 100000.'],
  [[...example, '--members', '2.5'], 'It must be a whole number from 0 to 10000000.'],
  [[...example, '--requests', '1e9'], 'It must be a whole number from 0 to 1000000000.'],
])('%j is refused', async (args, message) => {
  expect(await cost(...args)).toContain(message)
})
