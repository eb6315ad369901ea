import { env } from 'cloudflare:workers'
import type { Row } from '../../../src/import/tables/table.ts'
import { askedForm } from '../../../src/import/tabular/asked-forms.ts'
import { withEvent } from '../../../src/import/tabular/booking-event.ts'
import { destinationOf } from '../../../src/import/tabular/destination.ts'
import { importTable } from '../../../src/import/tabular/import-table.ts'
import type { Mapping } from '../../../src/import/tabular/mapping.ts'
import { inspect, rulesOf } from '../../../src/import/tabular/prepare.ts'
import type { Wishes } from '../../../src/import/tabular/propose.ts'
import { RestWriter } from '../../../src/import/tabular/rest.ts'
import { operatorStore } from '../../../src/operator/store.ts'
import { recordsInChunks } from '../../../src/store/chunks.ts'
import { putSchemas, schemasOf } from '../../../src/store/schemas.ts'
import { newOrganisation } from '../../organisation.ts'
import { fileOf } from './files.ts'

type Asked = {
  name?: string
  collection?: string
  wishes?: Wishes
  writes?: boolean
  /** How the file is read, where another of its kind was before. */
  mapping?: Mapping
  /** The event that its bookings are for. */
  event?: string
}

/** An organisation of a test's own, and what takes files into it as they come. */
export async function taking() {
  const organisation = await newOrganisation()
  const { id: organisationId } = organisation
  const records = async (collection: string) =>
    (await Array.fromAsync(recordsInChunks(env.DB, organisationId, collection, 500))).flat()
  return {
    ...organisation,
    /** What is kept in a collection, in its order. */
    all: async (collection: string) =>
      (await records(collection)).map(({ document }) => JSON.parse(document)),
    /** Imports a text; what it was taken for, what came of it, and the rows that were refused, also as CSV. */
    async take(
      text: string,
      { name = 'members.csv', collection, wishes = {}, writes = true, mapping, event }: Asked = {},
    ) {
      const schemas = await schemasOf(env.DB, organisationId)
      const forms = async () => (await records('forms')).map(({ document }) => askedForm(document))
      const about = { organisationId, schemas, collection, wishes, forms }
      const { table, proposal } = await inspect(fileOf(text, name, 100), about)
      const read = mapping ?? proposal.mapping
      const kept = { store: operatorStore(env.DB, organisationId), geography: env.GEOGRAPHY }
      const to = destinationOf(kept, read.collection)
      const whole = event === undefined ? read : await withEvent(to, read, event)
      if (!whole) throw new Error(`no event ${event}`)
      const prepared = await rulesOf(whole, organisationId, schemas, forms)
      if ('faults' in prepared) throw new Error(JSON.stringify(prepared.faults))
      const { rules, schema } = prepared
      if (schema && writes)
        await putSchemas(env.DB, organisationId, { [schema.kind]: schema.schema })
      const writer = new RestWriter(table.headings)
      let rest = writer.head
      const refused: (readonly [number, ...string[]])[] = []
      const faulty = (row: Row, reasons: readonly string[], chosen: string) => {
        refused.push([row.line, ...reasons])
        rest += writer.row(row, reasons, chosen)
      }
      const outcome = await importTable(name, table, rules, to, { writes, faulty })
      const { rows, created, updated, unchanged } = outcome
      return {
        proposal,
        outcome,
        refused,
        rest,
        counts: [rows, created, updated, unchanged, outcome.faulty],
      }
    },
    /** What is kept of a person or a record. */
    async kept(collection: string, id: string) {
      const found = (await records(collection)).find((one) => one.id === id)
      return found && JSON.parse(found.document)
    },
  }
}
