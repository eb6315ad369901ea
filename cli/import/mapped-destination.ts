import { operatorStore } from '../../src/admin/operator-store.ts'
import {
  createDestination,
  type RecordDestination,
} from '../../src/import/destination/destination.ts'
import type { Schemas } from '../../src/import/targets/open-schema.ts'
import type { ImportTarget } from '../../src/import/targets/target.ts'
import { parseSurveyForm, type SurveyForm } from '../../src/model/forms/survey-form.ts'
import { derivedFieldIds } from '../../src/model/properties/area-fields.ts'
import type { Kind, Schema, Values } from '../../src/model/properties/schema.ts'
import {
  findLikelyDuplicatesOf,
  type LikelyDuplicate,
} from '../../src/records/search/duplicates.ts'
import type { PeopleOfKind } from '../../src/records/search/search-people.ts'
import { saveMapping } from '../../src/store/imports/mappings.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { walkDocuments } from '../../src/store/read/walk-records.ts'
import { putSchemas, readSchemas } from '../../src/store/settings/schemas.ts'
import { CommandError } from '../terminal/report.ts'
import { completeImport, fileSource, type ImportStorage } from './import-files.ts'
import type { ServiceConnection } from './service.ts'
import { ServiceRecords } from './service-records.ts'

/** The database or service to which files with a mapping are imported. `tableDestination` writes their records. */
export type MappedFileDestination = {
  organisationId: string
  schemas(): Promise<Schemas>
  forms(): Promise<readonly SurveyForm[]>
  tableDestination(target: ImportTarget, schemas: Schemas): RecordDestination
  /** Throws if the destination cannot add the new fields to the schema. */
  requireSchemaAllowed(added: SchemaAddition, before: Schema | undefined): void
  saveSchema(added: SchemaAddition): Promise<void>
  /** Stores the mapping for the next file with the same headings. */
  saveMapping(headings: string, mapping: string): Promise<void>
  /** Finds the stored people who may be the same as new ones. A service compares none with a file. */
  findDuplicates(of: PeopleOfKind, people: readonly Values[]): Promise<LikelyDuplicate[][]>
  /** Updates derived values after an import. */
  completeImport(importedNames: ReadonlySet<string>): Promise<void>
}

type SchemaAddition = { kind: Kind; schema: Schema }

/** Creates a destination that writes a file to a database. */
export function createDatabaseDestination(
  file: string,
  storage: ImportStorage,
): MappedFileDestination {
  const { db, geography, organisationId } = storage
  return {
    organisationId,
    schemas: () => readSchemas(db, organisationId),
    async forms() {
      const forms: SurveyForm[] = []
      for await (const chunk of walkDocuments(operatorStore(db, organisationId), 'forms', 100)) {
        forms.push(...chunk.map(({ document }) => parseSurveyForm(document)))
      }
      return forms
    },
    tableDestination({ collection }) {
      const store = operatorStore(db, organisationId)
      const source = fileSource(file)
      const run = new RunningImport(store, { collection, source, through: 'import' })
      return createDestination({ store, geography }, collection, run)
    },
    requireSchemaAllowed() {},
    saveSchema: ({ kind, schema }) => putSchemas(db, organisationId, { [kind]: schema }),
    saveMapping: (headings, mapping) =>
      saveMapping(operatorStore(db, organisationId), headings, mapping),
    findDuplicates: (of, people) =>
      findLikelyDuplicatesOf(operatorStore(db, organisationId), of, people),
    completeImport: (imported) => completeImport(storage, imported),
  }
}

/** Creates a destination that sends files to a service. A key cannot add fields to a schema. */
export function createServiceDestination(
  file: string,
  service: ServiceConnection,
): MappedFileDestination {
  const records = new ServiceRecords(file, service)
  return {
    organisationId: service.organisationId,
    schemas: () => records.schemas(),
    forms: () => records.forms(),
    tableDestination: (target, schemas) => records.destination(target, schemas),
    requireSchemaAllowed({ kind, schema }, before) {
      const existingIds = new Set([
        ...(before?.fields ?? []).map(({ id }) => id),
        ...derivedFieldIds(schema.fields),
      ])
      const missing = schema.fields.filter(({ id }) => !existingIds.has(id))
      const fieldList = missing.map(({ id, type }) => `"${id}" (${type})`).join(', ')
      const alternative = before ? ', or leave out --add-fields' : ''
      throw new CommandError(
        `${file}: the schema of ${kind} lacks ${fieldList}. A key cannot add fields: the operator imports a schemas.json with them, which "schema infer" prints${alternative}.`,
      )
    },
    async saveSchema() {},
    async saveMapping() {},
    findDuplicates: async (_, people) => people.map(() => []),
    async completeImport() {},
  }
}
