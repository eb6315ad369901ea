import * as z from 'zod'
import { checkPerson } from '../../src/people/person.ts'
import { kinds, type Schema } from '../../src/people/schema.ts'
import { faultsOf } from '../../src/store/checked.ts'
import { id as idType } from '../../src/store/properties.ts'
import type { Kind } from '../../src/store/store.ts'
import { cells } from './cells.ts'
import { isObject, notAnObject, type Target } from './target.ts'

/** People of a kind by the organisation's schema, flat or as the API shows them. */
export function personTarget(kind: Kind, schema: Schema): Target {
  const { id: idName } = kinds[kind]
  const Id = z.object({ [idName]: idType() })
  return {
    collection: kind,
    plural: kind,
    nested: false,
    unique: schema.fields.filter(({ type }) => type === 'uniqueId').map(({ id }) => id),
    cell(column) {
      if (column === idName) return cells.text
      const field =
        schema.fields.find(({ id }) => id === column) ??
        schema.fields.find(({ name }) => name === column)
      if (!field) return undefined
      if (field.type === 'number' || field.type === 'boolean') return cells[field.type]
      return field.type === 'multipleSelect' || field.type === 'tags' ? cells.list : cells.text
    },
    check(given) {
      if (!isObject(given)) return notAnObject
      const { [idName]: id, fields, schemaInfo, ...flat } = given
      const known = Id.safeParse({ [idName]: id })
      const person = checkPerson(
        kind,
        schema,
        Array.isArray(fields) ? fromFieldObjects(fields) : flat,
      )
      if (known.success && 'kept' in person) {
        return {
          kept: { id: String(id), document: JSON.stringify({ [idName]: id, ...person.kept }) },
        }
      }
      const idFaults = known.success ? [] : faultsOf(known.error)
      return { faults: [...idFaults, ...('faults' in person ? person.faults : [])] }
    },
  }
}

const fromFieldObjects = (fields: unknown[]) =>
  Object.fromEntries(fields.filter(isObject).map(({ key, value }) => [String(key), value]))
