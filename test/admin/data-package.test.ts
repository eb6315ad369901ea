import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm/sql'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildDataPackage } from '../../src/admin/data-package.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createZip } from '../../src/formats/zip.ts'
import { Store } from '../../src/store/store.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { readPackage } from '../formats/data-package/read-package.ts'
import { texts } from '../model/tricky-values.ts'
import { newWriter } from '../resources/writing.ts'

const generatedPeople = fc.uniqueArray(
  fc.record({
    memberId: fc.oneof(fc.constantFrom('=1', '-2', "'=1", "'", '@a', ' b '), fc.uuid()),
    'Full Name': fc.oneof(texts, fc.constantFrom("'", "''", "'=1", '=1', '\r\n', '\n', ',"', '-')),
    'demographics.age': fc.constantFrom(0, -1, 0.5, 1e21, 5e-324, null),
    consent: fc.option(fc.boolean()),
    views: fc.subarray(['a', 'b']),
  }),
  { selector: ({ memberId }) => memberId, minLength: 1, maxLength: 8 },
)

test('a package of everything can be read by any program', async () => {
  await fc.assert(
    fc.asyncProperty(generatedPeople, async (people) => {
      const person = await newWriter(null)
      await putEverything(person)
      await person.put(
        'members',
        people.map((document) => ({ id: document.memberId, document })),
      )
      await person.put(
        'bookings',
        people.map(({ memberId, 'Full Name': userName }, index) => ({
          id: `b-${index}`,
          document: {
            ...everything.bookings?.document,
            bookingId: `b-${index}`,
            memberId,
            userName,
          },
        })),
      )
      const { tables, descriptor } = await packageOf(operatorStore(env.DB, person.id))

      const read = (text: string) => text.toWellFormed() || null
      expect(tables.members?.slice(1)).toEqual(
        people.map((document) =>
          expect.objectContaining({ ...document, 'Full Name': read(document['Full Name']) }),
        ),
      )
      expect(tables.bookings?.slice(1)).toEqual(
        people.map(({ memberId, 'Full Name': userName }) =>
          expect.objectContaining({ memberId, userName: read(userName), attending: true }),
        ),
      )
      expect(descriptor.resources.find(({ name }) => name === 'members')).toMatchObject({
        schema: {
          primaryKey: ['memberId'],
          fields: expect.arrayContaining([
            expect.objectContaining({ name: 'Full Name', title: 'Name', type: 'string' }),
            expect.objectContaining({ name: 'demographics.age', title: 'Age', type: 'number' }),
          ]),
        },
      })
      const bookings = descriptor.resources.find(({ name }) => name === 'bookings')?.schema
      expect(
        bookings?.foreignKeys.map(({ fields, reference }) => [...fields, reference.resource]),
      ).toEqual([
        ['eventId', 'events'],
        ['childEventId', 'events'],
        ['memberId', 'members'],
      ])
    }),
    { numRuns: 8 },
  )
})

test('a package has only what its reader may see', async () => {
  const person = await newWriter(null)
  await putEverything(person)
  const hideFields = ['Full Name', 'userName', 'memberId']
  const restrictions = JSON.stringify({ hideFields, collections: ['members', 'bookings'] })
  const access = sql`SELECT 'read' AS permissions, ${restrictions} AS restrictions`
  const { credential } = operatorStore(env.DB, person.id)
  const store = new Store({ DB: env.DB }, { ...credential, access })
  const { files, descriptor } = await packageOf(store)
  expect(Object.keys(files)).toEqual(['datapackage.json', 'members.csv', 'bookings.csv'])
  expect(Object.values(files).join()).not.toMatch(/Full Name|Ada Obi|userName/)
  expect(descriptor.resources.flatMap(({ schema }) => schema.foreignKeys)).toEqual([])
})

async function packageOf(store: Store) {
  const zip = createZip(buildDataPackage(store), (error) => expect.unreachable(String(error)))
  return readPackage(new Uint8Array(await new Response(zip).arrayBuffer()))
}
