import { readFileSync } from 'node:fs'
import * as z from 'zod'

/*
 * Run in place of curl: answers a query as Cloudflare's API of Workers Logs does, with the lines in the file LINES.
 * By its documentation, each field of a line of JSON is a key.
 */

const field = { key: z.string(), type: z.enum(['string', 'number']) }
const Query = z.strictObject({
  queryId: z.string(),
  dry: z.literal(true),
  view: z.literal('calculations'),
  timeframe: z.strictObject({ from: z.number(), to: z.number() }),
  parameters: z.strictObject({
    calculations: z.tuple([z.strictObject({ operator: z.literal('count') })]),
    groupBys: z.tuple([z.strictObject({ type: z.literal('string'), value: z.string() })]),
    filters: z.array(
      z.discriminatedUnion('operation', [
        z.strictObject({ ...field, operation: z.literal('exists') }),
        z.strictObject({
          ...{ ...field, operation: z.enum(['eq', 'neq', 'gte']) },
          value: z.union([z.string(), z.number()]),
        }),
      ]),
    ),
  }),
})
type Filter = z.infer<typeof Query>['parameters']['filters'][number]

const Line = z.record(z.string(), z.unknown())
type Line = z.infer<typeof Line>

const { LINES = '' } = process.env
const address =
  'https://api.cloudflare.com/client/v4/accounts/account/workers/observability/telemetry/query'
if (process.argv.at(-1) !== address || !process.argv.includes('Authorization: Bearer token'))
  throw new Error('This is another address or token.')
const { parameters, timeframe } = Query.parse(JSON.parse(readFileSync(0, 'utf8')))
if (timeframe.to - timeframe.from !== 900_000 || Math.abs(timeframe.to - Date.now()) > 60_000)
  throw new Error('These are not the last 15 minutes.')

const matching = readFileSync(LINES, 'utf8')
  .split('\n')
  .map((text) => ({
    ...Line.parse(JSON.parse(text)),
    '$metadata.service': 'organisation-data-platform-api-production',
  }))
  .filter((line) => parameters.filters.every((filter) => matches(line, filter)))
const [{ value: key }] = parameters.groupBys
const aggregates = [...Map.groupBy<unknown, Line>(matching, (line) => line[key])].map(
  ([value, { length }]) => ({
    count: length,
    value: length,
    interval: 0,
    sampleInterval: 1,
    groups: [{ key, value }],
  }),
)
const calculations = [{ calculation: 'count', aggregates, series: [] }]
process.stdout.write(JSON.stringify({ success: true, result: { calculations } }))

function matches(line: Line, filter: Filter): boolean {
  const actual = line[filter.key]
  if (typeof actual !== filter.type) return false
  if (filter.operation === 'exists') return true
  if (filter.operation === 'gte') return Number(actual) >= Number(filter.value)
  return (actual === filter.value) === (filter.operation === 'eq')
}
