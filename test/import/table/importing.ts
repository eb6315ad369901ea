import { env } from 'cloudflare:workers'
import { operatorStore } from '../../../src/admin/operator-store.ts'
import { noAnswers, type RowAnswers } from '../../../src/import/candidates/row-answers.ts'
import { setEvent } from '../../../src/import/candidates/set-event.ts'
import { buildTableRules } from '../../../src/import/candidates/table-rules.ts'
import { createDestination } from '../../../src/import/destination/destination.ts'
import { importTable } from '../../../src/import/import-table.ts'
import { inspectFile } from '../../../src/import/mapping/inspect-file.ts'
import type { Mapping } from '../../../src/import/mapping/mapping.ts'
import type { MappingOptions } from '../../../src/import/mapping/propose-mapping.ts'
import { RejectedRowsWriter } from '../../../src/import/rows/rejected-rows.ts'
import type { SourceRow } from '../../../src/import/rows/table.ts'
import { parseSurveyForm } from '../../../src/model/forms/survey-form.ts'
import { undoImport } from '../../../src/records/undo/undo-import.ts'
import { loadCollection } from '../../../src/resources/resources.ts'
import { RunningImport } from '../../../src/store/imports/running-import.ts'
import { walkDocuments } from '../../../src/store/read/walk-records.ts'
import { putSchemas, readSchemas } from '../../../src/store/settings/schemas.ts'
import { newOrganisation } from '../../organisation.ts'
import { fileOf } from './files.ts'

type Asked = {
  name?: string
  collection?: string
  mappingOptions?: MappingOptions
  writes?: boolean
  /** How the file is read, where another of its kind was before. */
  mapping?: Mapping
  /** The event that its bookings are for. */
  event?: string
  answers?: Partial<RowAnswers>
}

/** Creates an organisation for a test, with functions that infer and import files. */
export async function taking() {
  const organisation = await newOrganisation()
  const { id: organisationId } = organisation
  const records = async (collection: string) =>
    (
      await Array.fromAsync(walkDocuments(operatorStore(env.DB, organisationId), collection, 500))
    ).flat()
  return {
    ...organisation,
    /** The records of a collection, in order. */
    all: async (collection: string) =>
      (await records(collection)).map(({ document }) => JSON.parse(document)),
    /** Imports a text; returns the inferred mapping, the result, and the rejected rows, also as CSV. */
    async take(
      text: string,
      {
        name = 'members.csv',
        collection,
        mappingOptions = {},
        writes = true,
        mapping,
        event,
        answers = {},
      }: Asked = {},
    ) {
      const schemas = await readSchemas(env.DB, organisationId)
      const forms = async () =>
        (await records('forms')).map(({ document }) => parseSurveyForm(document))
      const about = { organisationId, schemas, collection, mappingOptions, forms }
      const { table, proposal } = await inspectFile(fileOf(text, name, 100), about)
      const read = mapping ?? proposal.mapping
      const kept = { store: operatorStore(env.DB, organisationId), geography: env.GEOGRAPHY }
      const run = new RunningImport(kept.store, { collection: read.collection })
      const to = createDestination(kept, read.collection, run)
      const whole = event === undefined ? read : await setEvent(to, read, event)
      if (!whole) throw new Error(`no event ${event}`)
      const prepared = await buildTableRules(whole, organisationId, schemas, forms)
      if ('errors' in prepared) throw new Error(JSON.stringify(prepared.errors))
      const { rules, schema } = prepared
      if (schema && writes)
        await putSchemas(env.DB, organisationId, { [schema.kind]: schema.schema })
      const writer = new RejectedRowsWriter((table.ticks?.matrix ?? table).headings)
      let rest = writer.header
      const refused: (readonly [number, ...string[]])[] = []
      const rejected = (row: SourceRow, reasons: readonly string[], chosen: string) => {
        refused.push([row.line, ...reasons])
        rest += writer.row(row, reasons, chosen)
      }
      const memberSchema = rules.schemas.members
      const members = memberSchema && {
        destination: createDestination(kept, 'members', run),
        schema: memberSchema,
      }
      const outcome = await importTable(name, table, rules, to, {
        writes,
        rejected,
        members,
        events: createDestination(kept, 'events', run),
        answers: { ...noAnswers, ...answers },
      })
      const { rows, created, updated, unchanged } = outcome
      return {
        proposal,
        outcome,
        /** Undoes the import. */
        undo: () =>
          undoImport(
            { ...kept, findType: async (name) => (await loadCollection(name)).resource },
            run.id ?? 0,
            { maxRecords: 100 },
          ),
        rowsRead: kept.store.cost.rowsRead,
        refused,
        rest,
        counts: [rows, created, updated, unchanged, outcome.rejected],
      }
    },
    /** The stored document of a person or record. */
    async kept(collection: string, id: string) {
      const found = (await records(collection)).find((one) => one.id === id)
      return found && JSON.parse(found.document)
    },
  }
}
