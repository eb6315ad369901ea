import { sql } from 'drizzle-orm/sql'
import { json, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { QueryGuard } from '../query/record-query.ts'
import { walkRecords } from '../read/walk-records.ts'
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
  const { collection, permissions, policy } = guard
  const columns = { id: text(sql`id`), values: fieldValues(fields) }
  const walk = { columns, size: peopleInStatement, max: max + 1, permissions, policy }
  const people: PersonValues[] = []
  for await (const chunk of walkRecords(store, collection, walk))
    for (const { id, values } of chunk) people.push({ id, values: nameValues(fields, values) })
  return { people: people.slice(0, max), isCut: people.length > max }
}

/** Reads the values of some fields of the people who have one of the values. */
export async function readFieldValuesOfMatches(
  store: Store,
  guard: QueryGuard,
  fields: readonly string[],
  lookups: readonly FieldLookup[],
): Promise<PersonValues[]> {
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`records.id`), values: fieldValues(fields) },
      from: sql`FROM json_each(${JSON.stringify(lookups)}) AS item CROSS JOIN terms
        CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
        CROSS JOIN records USING (organisation_id, collection, ordinal)
        WHERE ${ofCollection(store, guard.collection, 'terms')}
          AND terms.field = item.value ->> '$.field' AND terms.value = item.value ->> '$.value'
          AND terms.count <= item.value ->> '$.maxPeople'`,
    },
    ...guard,
  })
  const people = rows.map(({ id, values }) => ({ id, values: nameValues(fields, values) }))
  return [...new Map(people.map((person) => [person.id, person])).values()]
}

/** The values of some fields, in their order. */
const fieldValues = (fields: readonly string[]) =>
  json<unknown[]>(
    sql`json_array(${sql.join(
      fields.map((field) => sql`records.document -> ${`$.${JSON.stringify(field)}`}`),
      sql`, `,
    )})`,
  )

const nameValues = (fields: readonly string[], values: readonly unknown[]) =>
  Object.fromEntries(fields.map((field, index) => [field, values[index]]))
