import { derivedFieldIds } from '../../src/geography/enrichment.ts'
import { type AskedForm, askedForm } from '../../src/import/tabular/asked-forms.ts'
import { type Destination, destinationOf } from '../../src/import/tabular/destination.ts'
import type { Schemas } from '../../src/import/tabular/prepare.ts'
import type { Target } from '../../src/import/target.ts'
import type { Kind, Schema } from '../../src/model/schema.ts'
import { operatorStore } from '../../src/operator/store.ts'
import { recordsInChunks } from '../../src/store/chunks.ts'
import { putSchemas, schemasOf } from '../../src/store/schemas.ts'
import { Refusal } from '../terminal/refusal.ts'
import { type Places, settle } from './import-files.ts'
import { ServedRecords } from './served-records.ts'
import type { Reached } from './service.ts'

/** Where files go that are imported as they come: a database, or a service. */
export type Receiver = {
  organisationId: string
  schemas(): Promise<Schemas>
  forms(): Promise<readonly AskedForm[]>
  destination(target: Target, schemas: Schemas): Destination
  /** Refuses a schema with further fields where none can be added. */
  allows(added: Added, before: Schema | undefined): void
  keepSchema(added: Added): Promise<void>
  /** Works out what follows from what was imported. */
  settle(imported: ReadonlySet<string>): Promise<void>
}

type Added = { kind: Kind; schema: Schema }

/** A database as what files are imported into. */
export function databaseReceiver(to: Places): Receiver {
  const { db, geography, organisationId } = to
  return {
    organisationId,
    schemas: () => schemasOf(db, organisationId),
    async forms() {
      const forms: AskedForm[] = []
      for await (const chunk of recordsInChunks(db, organisationId, 'forms', 100)) {
        forms.push(...chunk.map(({ document }) => askedForm(document)))
      }
      return forms
    },
    destination: ({ collection }) =>
      destinationOf({ store: operatorStore(db, organisationId), geography }, collection),
    allows() {},
    keepSchema: ({ kind, schema }) => putSchemas(db, organisationId, { [kind]: schema }),
    settle: (imported) => settle(to, imported),
  }
}

/** A service as what a file is imported into, by a key: which cannot add fields to a schema. */
export function servedReceiver(file: string, to: Reached): Receiver {
  const records = new ServedRecords(file, to)
  return {
    organisationId: to.organisationId,
    schemas: () => records.schemas(),
    forms: () => records.forms(),
    destination: (target, schemas) => records.destination(target, schemas),
    allows({ kind, schema }, before) {
      const known = new Set([
        ...(before?.fields ?? []).map(({ id }) => id),
        ...derivedFieldIds(schema.fields),
      ])
      const missing = schema.fields.filter(({ id }) => !known.has(id))
      const named = missing.map(({ id, type }) => `"${id}" (${type})`).join(', ')
      const other = before ? ', or leave out --add-fields' : ''
      throw new Refusal(
        `${file}: the schema of ${kind} lacks ${named}. A key cannot add fields: the operator imports a schemas.json with them, which "schema infer" prints${other}.`,
      )
    },
    async keepSchema() {},
    async settle() {},
  }
}
