import fc from 'fast-check'
import { test } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { runs } from '../runs.ts'
import { expectRecordsAndIndex, rows } from '../store/whole-index.ts'
import { Model } from './model.ts'
import { expectPages, type List } from './pages.ts'
import { collections, personFields, type Step, stepsOf } from './steps.ts'

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
            await expectPages(organisation, collection, step, found.map(shown), found.length)
          } else {
            await make(organisation, collection, step)
            follow(model, step)
            const ids = model.records.map(({ id }) => id)
            await expectRecordsAndIndex(organisation.id, ids)
          }
        }
      }),
      runs(7),
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
