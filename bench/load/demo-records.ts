import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoFolder } from '../../cli/demo.ts'
import { fileSource } from '../../cli/import/import-files.ts'
import { readRecords } from '../../src/import/records-in.ts'
import { loadTarget } from '../../src/import/targets.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { isObject } from '../../src/model/json.ts'
import type { Kind, Schema } from '../../src/model/properties/schema.ts'
import { parseSchema } from '../../src/records/schema.ts'

export type Properties = Readonly<Record<string, unknown>>

/** The demo's schemas, and its records by collection as this organisation's: people flat by field id, all others whole, as an import keeps them. */
export async function demoRecords(organisationId: string) {
  const schemas = demoSchemas()
  const records: Record<string, Properties[]> = {}
  for (const name of collectionNames) records[name] = await recordsOf(name, organisationId, schemas)
  return { schemas, records }
}

function demoSchemas(): Record<Kind, Schema> {
  const given = JSON.parse(readFileSync(join(demoFolder, 'schemas.json'), 'utf8'))
  const schemaOf = (kind: Kind) => {
    const { data } = parseSchema(kind, given[kind])
    if (!data) throw new Error(`The demo's schema of ${kind} does not fit.`)
    return data
  }
  return {
    members: schemaOf('members'),
    volunteers: schemaOf('volunteers'),
    partners: schemaOf('partners'),
  }
}

async function recordsOf(
  name: string,
  organisationId: string,
  schemas: Record<Kind, Schema>,
): Promise<Properties[]> {
  const file = readdirSync(demoFolder).find((file) => file.startsWith(`${name}.`))
  const target = await loadTarget(name, organisationId, schemas)
  if (!file || !target) throw new Error(`The demo has no ${name}.`)
  const records: Properties[] = []
  for await (const item of readRecords(fileSource(join(demoFolder, file)), target)) {
    const given = 'value' in item ? item.value : undefined
    const checked = target.check(given)
    if (!isObject(given) || 'errors' in checked) {
      throw new Error(`${file}:${item.line} does not fit.`)
    }
    const filled = Object.entries(given).filter(([, value]) => value !== null)
    records.push(target.isNested ? JSON.parse(checked.value.document) : Object.fromEntries(filled))
  }
  return records
}
