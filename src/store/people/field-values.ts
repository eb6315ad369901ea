import { sql } from 'drizzle-orm/sql'
import type { QueryGuard } from '../query/record-query.ts'
import type { Body, Row } from '../statement.ts'
import type { Store } from '../store.ts'

/** A person with the values of the chosen fields. */
export type PersonValues = { id: string; values: Readonly<Record<string, unknown>> }

/** A value to look up in a field. A value that more people have is left out. */
export type FieldLookup = { field: string; value: string; maxPeople: number }

const peopleInStatement = 5000

/** Reads the values of some fields of the first people of a kind, at most `max`, in order of arrival. */
export async function readFieldValuesOfAll(
  store: Store,
  guard: QueryGuard,
  fields: readonly string[],
  max: number,
): Promise<{ people: PersonValues[]; isCut: boolean }> {
  const people: PersonValues[] = []
  let after = 0
  for (;;) {
    const limit = Math.min(peopleInStatement, max + 1 - people.length)
    const rows = await readPeople(store, guard, {
      columns: ['id', 'ordinal', 'field_values'],
      rows: sql`SELECT id, ordinal, ${selectValues(fields)} FROM records
        WHERE organisation_id = ${store.organisationId} AND collection = ${guard.collection}
          AND ordinal > ${after}
        ORDER BY ordinal LIMIT ${limit}`,
    })
    for (const row of rows) people.push(toPersonValues(row, fields))
    if (people.length > max) return { people: people.slice(0, max), isCut: true }
    if (rows.length < limit) return { people, isCut: false }
    after = Number(rows.at(-1)?.ordinal)
  }
}

/** Reads the values of some fields of the people who have one of the values. */
export async function readFieldValuesOfMatches(
  store: Store,
  guard: QueryGuard,
  fields: readonly string[],
  lookups: readonly FieldLookup[],
): Promise<PersonValues[]> {
  const rows = await readPeople(store, guard, {
    columns: ['id', 'field_values'],
    rows: sql`SELECT records.id, ${selectValues(fields)}
      FROM json_each(${JSON.stringify(lookups)}) AS item CROSS JOIN terms
      CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
      CROSS JOIN records USING (organisation_id, collection, ordinal)
      WHERE terms.organisation_id = ${store.organisationId}
        AND terms.collection = ${guard.collection}
        AND terms.field = item.value ->> '$.field' AND terms.value = item.value ->> '$.value'
        AND terms.count <= item.value ->> '$.maxPeople'`,
  })
  return [...new Map(rows.map((row) => [row.id, toPersonValues(row, fields)])).values()]
}

const readPeople = async (store: Store, guard: QueryGuard, body: Body): Promise<Row[]> =>
  (await store.read({}, body, guard)).rows

/** Returns SQL for a JSON list of the values of some fields. */
const selectValues = (fields: readonly string[]) =>
  sql`json_array(${sql.join(
    fields.map((field) => sql`records.document -> ${`$.${JSON.stringify(field)}`}`),
    sql`, `,
  )})`

function toPersonValues(row: Row, fields: readonly string[]): PersonValues {
  const values: unknown[] = JSON.parse(String(row.field_values))
  return {
    id: String(row.id),
    values: Object.fromEntries(fields.map((field, index) => [field, values[index]])),
  }
}
