import { env } from 'cloudflare:workers'
import { askedForm } from '../../../src/import/tabular/asked-forms.ts'
import { destinationOf } from '../../../src/import/tabular/destination.ts'
import { importTable } from '../../../src/import/tabular/import-table.ts'
import { inspect, rulesOf } from '../../../src/import/tabular/prepare.ts'
import type { Wishes } from '../../../src/import/tabular/propose.ts'
import { operatorStore } from '../../../src/operator/store.ts'
import { recordsInChunks } from '../../../src/store/chunks.ts'
import { putSchemas, schemasOf } from '../../../src/store/schemas.ts'
import { newOrganisation } from '../../organisation.ts'
import { fileOf } from './files.ts'

type Asked = { name?: string; collection?: string; wishes?: Wishes; writes?: boolean }

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
    /** Imports a text; what it was taken for, what came of it, and the rows that were refused. */
    async take(
      text: string,
      { name = 'members.csv', collection, wishes = {}, writes = true }: Asked = {},
    ) {
      const schemas = await schemasOf(env.DB, organisationId)
      const forms = async () => (await records('forms')).map(({ document }) => askedForm(document))
      const about = { organisationId, schemas, collection, wishes, forms }
      const { table, proposal } = await inspect(fileOf(text, name, 100), about)
      const prepared = await rulesOf(proposal.mapping, organisationId, schemas, forms)
      if ('faults' in prepared) throw new Error(JSON.stringify(prepared.faults))
      const { rules, schema } = prepared
      if (schema && writes)
        await putSchemas(env.DB, organisationId, { [schema.kind]: schema.schema })
      const kept = { store: operatorStore(env.DB, organisationId), geography: env.GEOGRAPHY }
      const to = destinationOf(kept, proposal.mapping.collection)
      const refused: (readonly [number, ...string[]])[] = []
      const faulty = ({ line }: { line: number }, reasons: readonly string[]) => {
        refused.push([line, ...reasons])
      }
      const outcome = await importTable(name, table, rules, to, { writes, faulty })
      const { rows, created, updated, unchanged } = outcome
      return {
        proposal,
        outcome,
        refused,
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
