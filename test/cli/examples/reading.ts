import { type ColumnType, loadContractTypes } from './contract-types.ts'
import type { Copy } from './copies.ts'

/** A table: its rows with the values of the API's JSON, and the type of each column that has values. */
export type Reading = { rows: Record<string, unknown>[]; types: Record<string, ColumnType> }

/** Returns the table that an example should make of each collection, and the types of the contract. */
export async function loadReadings(
  records: Copy,
  organisationId: string,
  { API_URL, API_KEY }: { API_URL: string; API_KEY: string },
) {
  const contractTypes = await loadContractTypes(async (kind) => {
    const address = `${API_URL}/schemas/${organisationId}?kind=${kind}`
    const answer = await fetch(address, { headers: { 'x-api-key': API_KEY } })
    return answer.json()
  })
  const readings = [...records].map(([name, copy]) => [
    name,
    toReading([...copy.values()], contractTypes.get(name)),
  ])
  return { contractTypes, readings: Object.fromEntries(readings) as Record<string, Reading> }
}

function toReading(
  records: object[],
  contractTypes: ReadonlyMap<string, ColumnType> | undefined,
): Reading {
  const rows = records.map((record) => Object.fromEntries(flatten(record)))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const filled = names.filter((name) => rows.some((row) => (row[name] ?? null) !== null))
  return {
    rows: rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))),
    // The values of a profile in the demo are texts.
    types: Object.fromEntries(filled.map((name) => [name, contractTypes?.get(name) ?? 'text'])),
  }
}

function flatten(record: object, prefix = ''): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'fields')
      return value.map((field: { key: string; value: unknown }) => [
        prefix + field.key,
        field.value,
      ])
    if (name === 'schemaInfo') return []
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [[prefix + name, value]]
    return flatten(value, `${prefix}${name}.`)
  })
}
