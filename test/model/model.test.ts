import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { runs } from '../runs.ts'
import { expectWhole, rows } from '../store/whole-index.ts'
import { Model } from './model.ts'
import { collections, personFields, type Step, stepsOf } from './steps.ts'

type List = Extract<Step, { list: unknown }>
type Change = Exclude<Step, List>

const schemaFields = personFields.map((id, order) => ({
  id,
  name: id,
  label: id,
  type: 'text',
  order,
}))

test.each(Object.entries(collections))(
  '%s are what the model says, at every step',
  async (collection, { reading, whole, shown, ...kind }) => {
    const steps = stepsOf({ reading, whole, shown, ...kind })
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const organisation = await newOrganisation()
        await organisation.schema('partners', schemaFields)
        const model = new Model()
        for (const step of steps) {
          if ('list' in step) {
            const found = model.found(step.list, reading, whole)
            await expectPages(organisation, collection, step, found.map(shown))
          } else {
            await make(organisation, collection, step)
            follow(model, step)
            const ids = model.records.map(({ id }) => id)
            await expectWhole(organisation.id, ids)
          }
        }
      }),
      runs(25),
    )
  },
)

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

async function make({ id, put }: Organisation, collection: string, step: Change) {
  const one = 'WHERE organisation_id = ? AND id = ?'
  if ('put' in step) {
    await put(collection, step.put)
  } else if ('change' in step) {
    const document = JSON.stringify(step.change.document)
    await rows(`UPDATE records SET document = ? ${one}`, document, id, step.change.id)
  } else {
    await rows(`DELETE FROM records ${one}`, id, step.remove)
  }
}

function follow(model: Model, step: Change) {
  if ('put' in step) model.put(step.put)
  else if ('change' in step) model.change(step.change)
  else model.remove(step.remove)
}

/** Expects the page asked for, and that the pages of its size together are the list, without gaps or doubles. */
async function expectPages(
  { json }: Organisation,
  collection: string,
  { list, limit, offset }: List,
  found: unknown[],
) {
  const page = async (offset: number) => {
    const paging = { limit: `${limit}`, offset: `${offset}` }
    const query = new URLSearchParams([
      ...list.map(([...filter]) => filter),
      ...Object.entries(paging),
    ])
    const answer = await json<Record<string, unknown[]>>(`/${collection}?${query}`)
    expect(answer).toMatchObject({ limit, offset, total: found.length })
    return answer[collection] ?? []
  }
  expectSame(await page(offset), found.slice(offset, offset + limit))
  const all: unknown[] = []
  for (let start = 0; start <= found.length; start += limit) all.push(...(await page(start)))
  expectSame(all, found)
}

// As texts, so that a property called __proto__ counts.
const expectSame = (given: unknown[], expected: unknown[]) =>
  expect(JSON.stringify(given)).toBe(JSON.stringify(expected))
