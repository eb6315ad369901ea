import type { Measured } from './fixture.ts'
import { type Ask, answer, median } from './load.ts'
import { atMost, type Line } from './report.ts'

type Query = {
  name: string
  path: (members: number) => string
  /** How many rows it may read of so many members. */
  rows: (members: number) => number
  /** Whether its time must not grow. */
  constant?: boolean
}

const half = 'Status=active'
const atStart = () => 210
const atAnyOffset = (members: number) => 120 + members / 400
const queries: Query[] = [
  { name: 'first page', path: () => '/members', rows: atStart, constant: true },
  { name: 'page at 50 %', path: (n) => `/members?offset=${n / 2}`, rows: atAnyOffset },
  {
    name: 'page at 99 %',
    path: (n) => `/members?offset=${Math.min(n * 0.99, n - 100)}`,
    rows: atAnyOffset,
  },
  { name: 'filter of 0.1 %', path: () => '/members?Cohort=cohort%207', rows: atStart },
  { name: 'filter of 50 %', path: () => `/members?${half}`, rows: atStart, constant: true },
  {
    name: 'filter of 50 %, at half',
    path: (n) => `/members?${half}&offset=${n / 4}`,
    rows: atAnyOffset,
  },
  {
    name: 'filter of 50 %, near its end',
    path: (n) => `/members?${half}&offset=${Math.floor(n * 0.49)}`,
    rows: atAnyOffset,
  },
  {
    name: 'two filters of 50 %',
    path: () => `/members?${half}&Consent=true`,
    rows: () => 250,
    constant: true,
  },
  {
    name: 'two filters of 50 %, at half',
    path: (n) => `/members?${half}&Consent=true&offset=${n / 8}`,
    rows: () => 6000,
  },
]

/** What each query reads and takes in organisations of different sizes, asked in turn. */
export async function growth(
  url: string,
  organisations: readonly Measured[],
  rounds: number,
): Promise<Line[]> {
  const lines: Line[] = []
  for (const { name, path, rows, constant } of queries) {
    const asks = organisations.map(
      ({ key, members }): Ask => ({ url: url + path(members), headers: { 'x-api-key': key } }),
    )
    const read = asks.map(() => 0)
    const times = asks.map((): number[] => [])
    for (let round = 0; round <= 2 * rounds; round++) {
      for (const [place, ask] of asks.entries()) {
        const sent = performance.now()
        const { timing } = await answer(ask)
        if (round > 0) times[place]?.push(performance.now() - sent)
        read[place] = rowsRead(timing)
      }
    }
    const medians = times.map(median)
    const sizes = organisations.map(({ members }) => members.toLocaleString('en-GB')).join(' / ')
    const budgets = organisations.map(({ members }) => rows(members))
    lines.push(
      {
        measure: `${name}: rows read`,
        result: read.join(' / '),
        target: `≤ ${[...new Set(budgets)].join(' / ')}`,
        met: read.every((rows, place) => rows <= (budgets[place] ?? 0)),
      },
      {
        measure: `${name}: ms at ${sizes}`,
        result: medians.map((time) => time.toFixed(1)).join(' / '),
      },
    )
    const [least = Number.NaN] = medians
    if (constant && medians.length > 1) {
      lines.push(
        atMost(
          `${name}: time at the largest / at the smallest`,
          (medians.at(-1) ?? 0) / least,
          1.5,
        ),
      )
    }
  }
  return lines
}

/** What it reads to pull all members of an organisation by offset, 250 at a time. */
export async function wholePull(url: string, { key, members }: Measured): Promise<Line> {
  let read = 0
  for (let offset = 0; offset < members; offset += 250) {
    const path = `/members?limit=250&offset=${offset}`
    const { timing } = await answer({ url: url + path, headers: { 'x-api-key': key } })
    read += rowsRead(timing)
  }
  const count = members.toLocaleString('en-GB')
  return atMost(`whole pull of ${count}: rows read for each record`, read / members, 1.6)
}

const rowsRead = (timing: string) => Number(/desc="(\d+) rows read"/.exec(timing)?.[1])
