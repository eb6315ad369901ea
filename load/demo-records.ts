import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileSource } from '../cli/commands/import-files.ts'
import { folder } from '../cli/demo.ts'
import { recordsIn } from '../src/import/records-in.ts'
import { targetOf } from '../src/import/targets.ts'
import { collectionNames } from '../src/model/collection-names.ts'
import { isObject } from '../src/model/is-object.ts'
import type { Kind, Schema } from '../src/model/schema.ts'
import { parseSchema } from '../src/records/schema.ts'

export type Properties = Readonly<Record<string, unknown>>

/** The demo's schemas, and its records by collection as this organisation's: people flat by field id, all others whole, as an import keeps them. */
export async function demoRecords(organisationId: string) {
  const schemas = demoSchemas()
  const records: Record<string, Properties[]> = {}
  for (const name of collectionNames) records[name] = await recordsOf(name, organisationId, schemas)
  return { schemas, records }
}

function demoSchemas(): Record<Kind, Schema> {
  const given = JSON.parse(readFileSync(join(folder, 'schemas.json'), 'utf8'))
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
  const file = readdirSync(folder).find((file) => file.startsWith(`${name}.`))
  const target = await targetOf(name, organisationId, schemas)
  if (!file || !target) throw new Error(`The demo has no ${name}.`)
  const records: Properties[] = []
  for await (const item of recordsIn(fileSource(join(folder, file)), target)) {
    const given = 'value' in item ? item.value : undefined
    const checked = target.check(given)
    if (!isObject(given) || 'faults' in checked) {
      throw new Error(`${file}:${item.line} does not fit.`)
    }
    const filled = Object.entries(given).filter(([, value]) => value !== null)
    records.push(target.nested ? JSON.parse(checked.kept.document) : Object.fromEntries(filled))
  }
  return records
}
