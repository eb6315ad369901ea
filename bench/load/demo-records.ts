import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoFolder } from '../../cli/demo-files.ts'
import { fileSource } from '../../cli/import/import-files.ts'
import { readPartialRecords } from '../../src/import/rows/partial-records.ts'
import { loadTarget } from '../../src/import/targets/load-target.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { isObject } from '../../src/model/json.ts'
import type { Kind, Schema } from '../../src/model/properties/schema.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'

export type Properties = Readonly<Record<string, unknown>>

/** Returns the demo's schemas, and its records by collection as records of this organisation: people flat by field id, others as stored. */
export async function demoRecords(organisationId: string) {
  const schemas = readDemoSchemas()
  const records: Record<string, Properties[]> = {}
  for (const name of collectionNames)
    records[name] = await readDemoRecords(name, organisationId, schemas)
  return { schemas, records }
}

function readDemoSchemas(): Record<Kind, Schema> {
  const file = JSON.parse(readFileSync(join(demoFolder, 'schemas.json'), 'utf8'))
  const readSchema = (kind: Kind) => {
    const { data } = parseSchema(kind, file[kind])
    if (!data) throw new Error(`The demo's schema of ${kind} is invalid.`)
    return data
  }
  return {
    members: readSchema('members'),
    volunteers: readSchema('volunteers'),
    partners: readSchema('partners'),
  }
}

async function readDemoRecords(
  name: string,
  organisationId: string,
  schemas: Record<Kind, Schema>,
): Promise<Properties[]> {
  const file = readdirSync(demoFolder).find((file) => file.startsWith(`${name}.`))
  const target = await loadTarget(name, organisationId, schemas)
  if (!file || !target) throw new Error(`The demo has no ${name}.`)
  const records: Properties[] = []
  for await (const item of readPartialRecords(fileSource(join(demoFolder, file)), target)) {
    const value = 'value' in item ? item.value : undefined
    const checked = target.check(value)
    if (!isObject(value) || 'errors' in checked) {
      throw new Error(`${file}:${item.line} is invalid.`)
    }
    const filled = Object.entries(value).filter(([, property]) => property !== null)
    records.push(target.isNested ? JSON.parse(checked.value.document) : Object.fromEntries(filled))
  }
  return records
}
