import Papa from 'papaparse'
import { expectText } from './check-response.ts'
import { formatItem, listShapes } from './expected-responses.ts'
import type { Organisation } from './organisations.ts'
import type { Random } from './random.ts'
import type { Step } from './step.ts'

/** Reads a whole collection as NDJSON or CSV, other than members, which grow during the load. */
export function readTable(random: Random, organisation: Organisation): Step {
  const collection = random.pick(Object.keys(listShapes).filter((name) => name !== 'members'))
  const records = organisation.records[collection] ?? []
  const id = listShapes[collection]?.id ?? ''
  if (random.chance(0.5)) {
    return {
      route: `GET /${collection} as NDJSON`,
      path: `/${collection}?$format=ndjson`,
      type: 'application/x-ndjson',
      isStreamed: true,
      findError: expectText(200, () =>
        records.map((record) => `${formatItem(organisation, collection, record)}\n`).join(''),
      ),
    }
  }
  return {
    route: `GET /${collection} as CSV`,
    path: `/${collection}?`,
    headers: { Accept: 'text/csv' },
    type: 'text/csv; charset=utf-8; header=present',
    isStreamed: true,
    findError({ status, text }) {
      if (status !== 200) return `status ${status}: ${text.slice(0, 200)}`
      const { data } = Papa.parse<Record<string, string>>(text, {
        header: true,
        skipEmptyLines: true,
      })
      const fault = data.findIndex((row, index) => row[id] !== records[index]?.[id])
      if (fault >= 0 || data.length !== records.length)
        return `${data.length} rows instead of ${records.length}, different from row ${fault}`
      const foreign = data.find(({ managedBy = organisation.id }) => managedBy !== organisation.id)
      return foreign && `a row of ${foreign.managedBy}`
    },
  }
}
