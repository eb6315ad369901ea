import { describe, expect, test } from 'vitest'
import { recordType } from '../../src/model/properties/record-type.ts'
import type { RecordProperties } from '../../src/model/record-properties.ts'
import { newOrganisation } from '../organisation.ts'

type Document = Record<string, unknown>

/** A collection with records that are served as stored. */
type Expectation = {
  path: string
  plural: string
  id: string
  /** The record's type. The example must have every property. */
  record: RecordProperties
  example: Document
  /** Properties of a second record that differ from the example. */
  differing: Document
  /** The example as an item of a list, if shortened. */
  item?: (example: Document) => Document
  /** The key of a single record's envelope, if the contract has one. */
  singular?: string
  /** The smallest valid record. */
  minimal: Document
  /** The records that each query finds. */
  finds: Record<string, ('example' | 'other')[]>
  /** The error message of each invalid query. */
  refuses?: Record<string, string>
}

/** Runs the tests of such a collection. */
export function testDocumentCollection(expected: Expectation) {
  const { path, plural, id, record, example, singular, item = (whole) => whole } = expected
  const other: Document = { ...example, [id]: 'other', ...expected.differing }
  const records = [example, other].map((document) => ({ id: String(document[id]), document }))

  async function holdingBoth() {
    const organisation = await newOrganisation()
    await organisation.put(path.slice(1), records)
    return organisation
  }

  describe(path, () => {
    test('lists records in the order they arrived, property by property', async () => {
      const { get } = await holdingBoth()
      const items = [example, other].map((document) => JSON.stringify(item(document)))
      expect(await (await get(path)).text()).toBe(
        `{"${plural}":[${items.join(',')}],"offset":0,"limit":100,"total":2}`,
      )
      expect(await (await get(`${path}?limit=1&offset=1`)).text()).toBe(
        `{"${plural}":[${items[1]}],"offset":1,"limit":1,"total":2}`,
      )
      expect(await (await get(`${path}?offset=2`)).text()).toBe(
        `{"${plural}":[],"offset":2,"limit":100,"total":2}`,
      )
    })

    test('is an empty list where there are no records', async () => {
      const { json } = await newOrganisation()
      expect(await json(path)).toEqual({ [plural]: [], offset: 0, limit: 100, total: 0 })
    })

    if (singular) {
      test('shows one record whole', async () => {
        const { get } = await holdingBoth()
        const answer = await get(`${path}/${example[id]}`)
        expect(await answer.text()).toBe(`{"${singular}":${JSON.stringify(example)}}`)
      })
    }

    test('finds records by its named filters', async () => {
      const { json } = await holdingBoth()
      for (const [query, expectedRecords] of Object.entries(expected.finds)) {
        const answer = await json<Record<string, Document[]>>(`${path}?${query}`)
        const ids = expectedRecords.map((which) => (which === 'example' ? example[id] : 'other'))
        expect([query, answer[plural]?.map((document) => document[id])]).toEqual([query, ids])
        expect(answer).toMatchObject({ total: expectedRecords.length })
      }
    })

    const { refuses } = expected
    if (refuses)
      test('refuses what a named filter cannot be', async () => {
        const { get } = await newOrganisation()
        for (const [query, message] of Object.entries(refuses)) {
          const answer = await get(`${path}?${query}`)
          expect([query, answer.status, await answer.json()]).toEqual([
            query,
            400,
            { type: 'BAD_REQUEST', message },
          ])
        }
      })

    test('is checked against the whole record when written, absent properties included', () => {
      expect(JSON.stringify(recordType(record).parse(example))).toBe(JSON.stringify(example))
      expect(shape(recordType(record).parse(expected.minimal))).toEqual(shape(example))
    })
  })
}

/** The property names of a document and of its objects, in order. */
function shape(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined
  return Object.entries(document)
    .filter(([name]) => name !== 'validation')
    .map(([name, value]) => [name, shape(value)])
}
