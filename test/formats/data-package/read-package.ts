import { type Schema, Validator } from '@cfworker/json-schema'
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import Papa from 'papaparse'
import { expect } from 'vitest'
import * as z from 'zod'
import schemaText from './schema.json?raw'

const packageSchema: Schema = JSON.parse(schemaText)

const Descriptor = z.object({
  name: z.string(),
  resources: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      schema: z.object({
        fields: z.array(
          z.object({
            name: z.string(),
            title: z.string(),
            type: z.string(),
            description: z.string().optional(),
          }),
        ),
        primaryKey: z.tuple([z.string()]),
        foreignKeys: z
          .array(
            z.object({
              fields: z.tuple([z.string()]),
              reference: z.object({ resource: z.string(), fields: z.tuple([z.string()]) }),
            }),
          )
          .default([]),
      }),
    }),
  ),
})

type Values = Record<string, unknown>

/**
 * Reads a package as any program would that knows Data Package 2.0 and nothing of this service: the values of each
 * table, by heading. The package must conform to the schema, and its keys, references and types must hold.
 */
export async function readPackage(bytes: Uint8Array) {
  const files = await unzip(bytes)
  const json: unknown = JSON.parse(files['datapackage.json'] ?? '')
  const { valid, errors } = new Validator(packageSchema, '7', false).validate(json)
  expect([valid, errors]).toEqual([true, []])
  const descriptor = Descriptor.parse(json)
  const { resources } = descriptor
  expect(Object.keys(files)).toEqual(['datapackage.json', ...resources.map(({ path }) => path)])
  const tables = Object.fromEntries(
    resources.map(({ name, path, schema: { fields } }) => {
      const [headings, ...rows] = Papa.parse<string[]>((files[path] ?? '').replace(/\r\n$/, ''), {
        delimiter: ',',
        newline: '\r\n',
      }).data
      expect(headings).toEqual(fields.map((field) => field.name))
      return [
        name,
        rows.map((row): Values => {
          expect(row).toHaveLength(fields.length)
          return Object.fromEntries(
            fields.map((field, index) => [field.name, parseCell(field.type, row[index] ?? '')]),
          )
        }),
      ]
    }),
  )
  const idsOf = (table: string, field: string) => (tables[table] ?? []).map((row) => row[field])
  for (const { name, schema } of resources) {
    const ids = idsOf(name, ...schema.primaryKey)
    expect(ids).not.toContain(null)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { fields, reference } of schema.foreignKeys) {
      const targets = new Set(idsOf(reference.resource, ...reference.fields))
      const lost = idsOf(name, ...fields).filter((id) => id !== null && !targets.has(id))
      expect([name, fields, lost]).toEqual([name, fields, []])
    }
  }
  return { descriptor, files, tables }
}

async function unzip(bytes: Uint8Array): Promise<Record<string, string>> {
  const files: [string, string][] = []
  for (const entry of await new ZipReader(new Uint8ArrayReader(bytes)).getEntries())
    if (!entry.directory) files.push([entry.filename, await entry.getData(new TextWriter())])
  return Object.fromEntries(files)
}

/** The value of a cell; null if it is missing. */
function parseCell(type: string, cell: string): unknown {
  if (cell === '') return null
  const matches = (pattern: RegExp) => expect(cell).toMatch(pattern)
  switch (type) {
    case 'number':
      matches(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/)
      return Number(cell)
    case 'boolean':
      matches(/^(true|false)$/)
      return cell === 'true'
    case 'date':
      matches(/^\d{4}-\d\d-\d\d$/)
      return cell
    case 'datetime':
      matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      return cell
    case 'array':
      return z.array(z.unknown()).parse(JSON.parse(cell))
    default:
      expect(type).toBe('string')
      return /^'+(?:[=+\-@\t\r\n\0＝＋－＠]|$)/.test(cell) ? cell.slice(1) : cell
  }
}
