import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newWriter, type Writer } from '../resources/writing.ts'
import { runs } from '../runs.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { holdWriteClock, jump } from './clock.ts'

const names = ['Name', 'Town'] as const
const fields = names.map((id, order) => ({ id, name: id, label: id, type: 'text', order }))

type Person = Partial<Record<(typeof names)[number], string>>
type Line = Person & { memberId: string }

const ids = fc.constantFrom('a', 'b', 'c')
const values = fc.record<Person>(
  { Name: fc.constantFrom('Ada', 'Ben'), Town: fc.constantFrom('Leeds', 'York', 'Hull') },
  { requiredKeys: [] },
)
const line = fc.tuple(ids, values).map(([memberId, person]): Line => ({ memberId, ...person }))

/** An import, or a change or deletion of one member. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.uniqueArray(line, { selector: (it) => it.memberId, minLength: 1 }) },
    { weight: 1, arbitrary: fc.record({ change: line }) },
    { weight: 1, arbitrary: fc.record({ remove: ids }) },
  ),
  { minLength: 4, maxLength: 12 },
)

/** The values of a member after a change, if it exists then, and the import that made the change. */
type Version = { person: Person | undefined; by: string | undefined }

class Model {
  readonly #versions = new Map<string, Version[]>()

  find = (id: string) => this.#versions.get(id)?.at(-1)?.person

  write(id: string, person: Person | undefined, by?: string): void {
    const before = this.find(id)
    const after = person && { ...before, ...person }
    if (same(before, after)) return
    this.#versions.set(id, [...(this.#versions.get(id) ?? []), { person: after, by }])
  }

  /** Takes back the changes of an import that are the last of their member. */
  undo(by: string): void {
    for (const versions of this.#versions.values()) if (versions.at(-1)?.by === by) versions.pop()
  }

  /** Returns whether a change of an import is still there. A created member that was deleted since needs no undo. */
  hasChange(id: string, by: string): boolean {
    const versions = this.#versions.get(id) ?? []
    const index = versions.findIndex((version) => version.by === by)
    const wasCreated = versions[index - 1]?.person === undefined
    const wasDeleted = versions.slice(index).some(({ person }) => person === undefined)
    return index >= 0 && !(wasCreated && wasDeleted)
  }

  get members(): Record<string, Person> {
    const existing = [...this.#versions.keys()].map((id) => [id, this.find(id)] as const)
    return Object.fromEntries(existing.filter((it): it is [string, Person] => it[1] !== undefined))
  }
}

const same = (one?: Person, other?: Person) =>
  one === other || (one && other && names.every((name) => one[name] === other[name]))

test('imports that are undone in reverse order leave what others changed since, and nothing else, whatever the clock says', async () => {
  const moveClock = holdWriteClock()
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(jump), async (steps, jumps) => {
      const writer = await newWriter(fields)
      const { send } = writer
      const model = new Model()
      const imports: { id: string; lines: Line[] }[] = []
      for (const step of steps) {
        moveClock(jumps.next().value ?? 0)
        if ('change' in step) {
          const { memberId, ...person } = step.change
          await send('PATCH', '/members', { members: [step.change] })
          model.write(memberId, person)
        } else if ('remove' in step) {
          await send('DELETE', `/members/${step.remove}`)
          model.write(step.remove, undefined)
        } else {
          const id = await importLines(writer, step)
          for (const { memberId, ...person } of step) model.write(memberId, person, id)
          imports.push({ id, lines: step })
        }
      }
      expect(await readMembers(writer)).toEqual(model.members)
      for (const { id, lines } of imports.toReversed()) {
        moveClock(jumps.next().value ?? 0)
        const left = await undo(writer, id)
        model.undo(id)
        expect(await readMembers(writer)).toEqual(model.members)
        const remaining = lines.filter(({ memberId }) => model.hasChange(memberId, id))
        expect(left.toSorted()).toEqual(remaining.map(({ memberId }) => memberId).toSorted())
      }
      await expectOrganisationIndex(writer.id)
    }),
    runs(4),
  )
})

async function importLines({ send }: Writer, lines: readonly Line[]): Promise<string> {
  const answer = await send('POST', '/imports?collection=members', lines)
  expect(await answer.json()).toMatchObject({ rejected: 0, errors: [] })
  const list = await send('GET', '/imports')
  const { imports } = await list.json<{ imports: { importId: string }[] }>()
  return imports[0]?.importId ?? ''
}

/** Undoes an import and returns the ids of the members that it left. */
async function undo({ send }: Writer, id: string): Promise<string[]> {
  const answer = await send('POST', `/imports/${id}/$undo`)
  const result = await answer.json<{ records: { id: string }[]; next: string | null }>()
  expect([answer.status, result.next]).toEqual([200, null])
  return result.records.map((record) => record.id)
}

async function readMembers({ id }: Writer): Promise<Record<string, Person>> {
  const stored = await rows(
    "SELECT id, document FROM records WHERE organisation_id = ? AND collection = 'members'",
    id,
  )
  return Object.fromEntries(
    stored.map(({ id, document }) => {
      const { memberId: _, $answered: __, ...person } = JSON.parse(String(document))
      return [id, person]
    }),
  )
}
