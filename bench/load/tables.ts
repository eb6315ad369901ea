import Papa from 'papaparse'
import { is } from './judge.ts'
import type { Organisation } from './organisations.ts'
import type { Question } from './question.ts'
import type { Seeded } from './seeded.ts'
import { item, shown } from './served.ts'

/** A whole collection as NDJSON or CSV, other than members, which grow during the load. */
export function table(random: Seeded, organisation: Organisation): Question {
  const collection = random.pick(Object.keys(shown).filter((name) => name !== 'members'))
  const records = organisation.records[collection] ?? []
  const id = shown[collection]?.id ?? ''
  if (random.chance(0.5)) {
    return {
      route: `GET /${collection} as NDJSON`,
      path: `/${collection}?$format=ndjson`,
      type: 'application/x-ndjson',
      isStreamed: true,
      fault: is(200, () =>
        records.map((record) => `${item(organisation, collection, record)}\n`).join(''),
      ),
    }
  }
  return {
    route: `GET /${collection} as CSV`,
    path: `/${collection}?`,
    headers: { Accept: 'text/csv' },
    type: 'text/csv; charset=utf-8; header=present',
    isStreamed: true,
    fault({ status, text }) {
      if (status !== 200) return `status ${status}: ${text.slice(0, 200)}`
      const { data } = Papa.parse<Record<string, string>>(text, {
        header: true,
        skipEmptyLines: true,
      })
      const fault = data.findIndex((row, place) => row[id] !== records[place]?.[id])
      if (fault >= 0 || data.length !== records.length)
        return `${data.length} rows instead of ${records.length}, other from row ${fault}`
      const foreign = data.find(({ managedBy = organisation.id }) => managedBy !== organisation.id)
      return foreign && `a row of ${foreign.managedBy}`
    },
  }
}
