import fc from 'fast-check'
import { expect, test } from 'vitest'
import { referencedIds, references } from '../../src/model/references.ts'
import { newWriter, type Writer } from '../resources/writing.ts'
import { runs } from '../runs.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { holdWriteClock, jump } from './clock.ts'

const fields = [{ id: 'Name', name: 'Name', label: 'Name', type: 'text', order: 0 }]

/** The records that a deletion may begin with. */
const roots = [
  'events/e',
  'events/date',
  'members/m',
  'members/n',
  'bookings/b',
  'funds/f',
] as const

/** A deletion with its dependents, a restoration of the latest version, or a change. */
type Step = { path: (typeof roots)[number]; action: 'delete' | 'restore' | 'change' }

const steps = fc.array(
  fc.record<Step>({
    path: fc.constantFrom(...roots),
    action: fc.constantFrom('delete', 'delete', 'restore', 'restore', 'change'),
  }),
  { minLength: 3, maxLength: 12 },
)

/** Creates records that refer to each other in every way. */
async function newWorld() {
  const writer = await newWriter(fields)
  const put = async (path: string, body: object) =>
    expect([path, (await writer.send('PUT', `/${path}`, body)).status]).toEqual([path, 201])
  for (const id of ['m', 'n']) await put(`members/${id}`, { Name: id })
  await put('events/e', { name: 'Walks' })
  await put('events/date', { name: 'A walk', parentEventId: 'e' })
  await put('bookings/b', { eventId: 'e', memberId: 'm' })
  await put('bookings/c', { eventId: 'e', childEventId: 'date', memberId: 'n' })
  await put('bookings/d', { eventId: 'date', memberId: '' })
  await put('case-notes/note', { linkedEntities: { memberIds: ['m', 'n'] } })
  await put('funds/f', { recipientType: 'organisation' })
  await writer.put('grant-applications', [{ id: 'g', document: { fundId: 'f' } }])
  await writer.put('disbursements', [{ id: 'p', document: { fundId: 'f', grantId: 'g' } }])
  return writer
}

type Documents = Record<string, Record<string, unknown>>

async function readDocuments({ id }: Writer): Promise<Documents> {
  const stored = await rows(
    'SELECT collection, id, document FROM records WHERE organisation_id = ?',
    id,
  )
  return Object.fromEntries(
    stored.map(({ collection, id, document }) => [
      `${collection}/${id}`,
      JSON.parse(String(document)),
    ]),
  )
}

/** Returns the references to records that do not exist. */
const findDangling = (documents: Documents) =>
  Object.entries(documents).flatMap(([path, document]) =>
    references
      .filter(({ from }) => path.startsWith(`${from}/`))
      .flatMap((reference) =>
        referencedIds(reference, document)
          .filter(({ id }) => id !== '' && !documents[`${reference.to}/${id}`])
          .map((missing) => `${path} ${missing.path} ${missing.id}`),
      ),
  )

/** Restores the latest previous version of a record with what the same operation did. Returns what was left; undefined if it was refused. */
async function restore({ send }: Writer, path: string) {
  const { versions = [] } = await (await send('GET', `/${path}/$versions`)).json<{
    versions?: { version: number }[]
  }>()
  const body = { version: versions[0]?.version ?? 0 }
  const answer = await send('POST', `/${path}/$restore?$cascade=true`, body)
  expect([200, 400, 404]).toContain(answer.status)
  const { left } = await answer.json<{ left?: { collection: string; id: string }[] }>()
  return left?.map(({ collection, id }) => `${collection}/${id}`)
}

const paths = fc.shuffledSubarray([...roots], { minLength: 1 })

test('a restoration leaves what the same caller did before and after, also when the clock went back', async () => {
  const moveClock = holdWriteClock()
  const writer = await newWorld()
  const { send } = writer
  moveClock(30 * 3_600_000)
  expect((await send('DELETE', '/members/n?$cascade=true')).status).toBe(204)
  moveClock(-30 * 3_600_000)
  expect((await send('DELETE', '/members/m?$cascade=true')).status).toBe(204)
  expect((await send('PATCH', '/events/e', { name: 'Walk' })).status).toBe(200)
  moveClock(60 * 3_600_000)
  expect((await send('DELETE', '/funds/f?$cascade=true')).status).toBe(204)
  // Within the same millisecond.
  expect((await send('DELETE', '/events/date?$cascade=true')).status).toBe(204)
  expect(await restore(writer, 'members/m')).toEqual([])
  expect(await restore(writer, 'events/date')).toEqual([])
  const documents = await readDocuments(writer)
  for (const path of ['members/n', 'funds/f']) expect(documents).not.toHaveProperty([path])
  expect(documents).toMatchObject({
    'events/e': { name: 'Walk' },
    'bookings/b': { memberId: 'm' },
    'bookings/c': { memberId: '' },
  })
})

test('deletions with their dependents are restored in reverse order, except for records that several changed, whatever the clock says', async () => {
  const moveClock = holdWriteClock()
  await fc.assert(
    fc.asyncProperty(paths, fc.infiniteStream(jump), async (paths, jumps) => {
      const writer = await newWorld()
      const states = [await readDocuments(writer)]
      const deleted: string[] = []
      const changes = new Map<string, number>()
      for (const path of paths) {
        moveClock(jumps.next().value ?? 0)
        const { status } = await writer.send('DELETE', `/${path}?$cascade=true`)
        expect([204, 404]).toContain(status)
        if (status === 404) continue
        deleted.push(path)
        const before = states.at(-1) ?? {}
        const after = await readDocuments(writer)
        for (const path of Object.keys(before))
          if (JSON.stringify(before[path]) !== JSON.stringify(after[path]))
            changes.set(path, (changes.get(path) ?? 0) + 1)
        states.push(after)
        expect(findDangling(after)).toEqual([])
      }
      const left = new Set<string>()
      for (const path of deleted.toReversed()) {
        moveClock(jumps.next().value ?? 0)
        states.pop()
        for (const other of (await restore(writer, path)) ?? [path]) left.add(other)
        const documents = await readDocuments(writer)
        const expected = { ...states.at(-1) }
        for (const other of left) expected[other] = documents[other] ?? {}
        expect(documents).toEqual(expected)
      }
      expect([...left].filter((path) => (changes.get(path) ?? 0) < 2)).toEqual([])
      await expectOrganisationIndex(writer.id)
    }),
    runs(3),
  )
})

/** A restoration of bookings of a member who was deleted later. */
const memberDeletedMeanwhile: Step[] = [
  { path: 'events/e', action: 'delete' },
  { path: 'members/m', action: 'delete' },
  { path: 'events/e', action: 'restore' },
]

test('in any order, a restoration never makes a reference to a missing record', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const writer = await newWorld()
      for (const { path, action } of steps) {
        const before = await readDocuments(writer)
        if (action === 'delete') await writer.send('DELETE', `/${path}?$cascade=true`)
        else if (action === 'change')
          await writer.send('PATCH', `/${path}`, { [path.startsWith('m') ? 'Name' : 'name']: 'X' })
        else {
          const left = await restore(writer, path)
          const after = await readDocuments(writer)
          if (left) expect(after).toHaveProperty([path])
          else expect(after).toEqual(before)
          for (const other of left ?? []) expect(after[other]).toEqual(before[other])
        }
        expect(findDangling(await readDocuments(writer))).toEqual([])
      }
      await expectOrganisationIndex(writer.id)
    }),
    { ...runs(4), examples: [[memberDeletedMeanwhile]] },
  )
})
