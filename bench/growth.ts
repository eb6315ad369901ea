import type { MeasuredOrganisation } from './fixture.ts'
import { fetchText, median, parseRowsRead, type Request } from './load.ts'
import { atMost, type Line } from './report.ts'
import { skipMemory } from './skip-memory.ts'

type Query = {
  name: string
  path: (members: number) => string
  /** The maximum number of rows read, by number of members. */
  maxRowsRead: (members: number) => number
  /** Whether its time must stay the same as the organisation grows. */
  isConstant?: boolean
  plain?: string
}

const half = 'Status=active'
const atStart = () => 210
const atAnyOffset = (members: number) => 120 + members / 400
const queries: Query[] = [
  {
    name: 'first page',
    path: () => '/members',
    maxRowsRead: atStart,
    isConstant: true,
    plain: 'The first page of members',
  },
  {
    name: 'page at 50 %',
    path: (n) => `/members?offset=${Math.floor(n / 2)}`,
    maxRowsRead: atAnyOffset,
  },
  {
    name: 'page at 99 %',
    path: (n) => `/members?offset=${Math.min(n * 0.99, n - 100)}`,
    maxRowsRead: atAnyOffset,
  },
  { name: 'filter of 0.1 %', path: () => '/members?Cohort=cohort%207', maxRowsRead: atStart },
  {
    name: 'filter of 50 %',
    path: () => `/members?${half}`,
    maxRowsRead: atStart,
    isConstant: true,
  },
  {
    name: 'filter of 50 %, at half',
    path: (n) => `/members?${half}&offset=${Math.floor(n / 4)}`,
    maxRowsRead: atAnyOffset,
    plain: 'A page in the middle of a filtered list of half the members',
  },
  {
    name: 'filter of 50 %, near its end',
    path: (n) => `/members?${half}&offset=${Math.floor(n * 0.49)}`,
    maxRowsRead: atAnyOffset,
  },
  {
    name: 'two filters of 50 %',
    path: () => `/members?${half}&Consent=true`,
    maxRowsRead: () => 250,
    isConstant: true,
  },
  {
    name: 'two filters of 50 %, at half',
    path: (n) => `/members?${half}&Consent=true&offset=${Math.floor(n / 8)}`,
    maxRowsRead: () => 6000,
  },
]

/** Measures the rows and time of each query in organisations of different sizes, in turn, without the page memory. */
export async function measureGrowth(
  url: string,
  organisations: readonly MeasuredOrganisation[],
  rounds: number,
): Promise<Line[]> {
  const lines: Line[] = []
  for (const { name, path, maxRowsRead, isConstant, plain } of queries) {
    const requests = organisations.map(
      ({ key, members }): Request => ({
        url: url + path(members),
        headers: { 'x-api-key': key, [skipMemory]: '1' },
      }),
    )
    const rowsRead = requests.map(() => 0)
    const times = requests.map((): number[] => [])
    for (let round = 0; round <= 2 * rounds; round++) {
      for (const [index, request] of requests.entries()) {
        const sent = performance.now()
        const answer = await fetchText(request)
        if (round > 0) times[index]?.push(performance.now() - sent)
        rowsRead[index] = parseRowsRead(answer)
      }
    }
    const medians = times.map(median)
    const sizes = organisations.map(({ members }) => members.toLocaleString('en-GB')).join(' / ')
    const budgets = organisations.map(({ members }) => maxRowsRead(members))
    lines.push(
      {
        measure: `${name}: rows read`,
        result: rowsRead.join(' / '),
        target: `≤ ${[...new Set(budgets)].join(' / ')}`,
        met: rowsRead.every((rows, index) => rows <= (budgets[index] ?? 0)),
      },
      {
        measure: `${name}: ms at ${sizes}`,
        result: medians.map((time) => time.toFixed(1)).join(' / '),
        ...(plain && {
          plain: {
            request: `${plain}, in organisations of ${sizes} members`,
            answer: `${medians.map((time) => time.toFixed(1)).join(' / ')} ms until the response`,
          },
        }),
      },
    )
    const [smallest = Number.NaN] = medians
    if (isConstant && medians.length > 1) {
      lines.push(
        atMost(
          `${name}: time at the largest / at the smallest`,
          (medians.at(-1) ?? 0) / smallest,
          1.5,
        ),
      )
    }
  }
  return lines
}

/** Measures the rows read by an export of all members by offset, 250 at a time. */
export async function measureExport(
  url: string,
  { key, members }: MeasuredOrganisation,
): Promise<Line> {
  let rowsRead = 0
  for (let offset = 0; offset < members; offset += 250) {
    const path = `/members?limit=250&offset=${offset}`
    rowsRead += parseRowsRead(await fetchText({ url: url + path, headers: { 'x-api-key': key } }))
  }
  const count = members.toLocaleString('en-GB')
  return atMost(`export of ${count}: rows read for each record`, rowsRead / members, 1.6)
}
