import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Schema } from '../../src/model/properties/schema.ts'
import { newOrganisation } from '../organisation.ts'
import { bodiesOf, schemas } from '../resources/bodies.ts'
import { runs } from '../runs.ts'
import { expectRecordsAndIndex, rows } from '../store/whole-index.ts'
import { type Filter, Model, type ModelRecord } from './model.ts'
import { expectPages, expectSame, type List, listsOf } from './pages.ts'
import { filterTexts } from './tricky-values.ts'

type FieldObject = { key: string; label: string; value: unknown; type: string; options?: unknown }
type Body = { body: string; shown: FieldObject[] | undefined }

/** A step: create a member, import several, replace or delete one, or read a list. */
type Step =
  | { post: Body }
  | { put: { id: string; shown: FieldObject[] }[] }
  | { change: { id: string; shown: FieldObject[] } }
  | { remove: number }
  | List

const ids = fc.constantFrom('a', 'A', ' a', '1', '01', '__proto__', "'")

// What the bodies hold, as a query spells it.
const held = ['a', 'A', ' a', 'TRUE', 'true', 'FALSE', '__proto__', '123456', '07700 900123']
const filterValues = fc.oneof(
  filterTexts,
  fc.constantFrom(...held, '2024-02-29', 'a@b.example.org', '75001', '\ud800'),
)

function stepsOf(schema: Schema) {
  const body = bodiesOf(schema) as fc.Arbitrary<Body>
  const fitting = body.map(({ shown = [] }) => shown)
  const member = fc.record({ id: ids, shown: fitting })
  const names = fc.constantFrom(...schema.fields.map(({ id }) => id), 'memberId', 'nothing')
  const filter = names.chain((name) =>
    fc.tuple(fc.constant(name), name === 'memberId' ? ids : filterValues),
  )
  return fc.array(
    fc.oneof<fc.Arbitrary<Step>[]>(
      ...[1, 2, 3].map(() => fc.record({ post: body })),
      fc.record({ put: fc.uniqueArray(member, { selector: ({ id }) => id, maxLength: 4 }) }),
      fc.record({ change: member }),
      fc.record({ remove: fc.nat({ max: 5 }) }),
      ...[1, 2, 3].map(() => listsOf(filter as fc.Arbitrary<Filter>)),
    ),
    { minLength: 5, maxLength: 15 },
  )
}

test('members are what the model says, at every step', async () => {
  const scenarios = schemas.chain((schema) =>
    fc.record({ schema: fc.constant(schema), steps: stepsOf(schema) }),
  )
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ schema, steps }) => {
      const organisation = await newOrganisation()
      await organisation.schema('members', schema.fields, schema.name)
      const model = new Model()
      const shown = ({ id, document }: ModelRecord) => ({
        memberId: id,
        fields: fieldsOf(schema, document).map(({ options: _, ...field }) => field),
        schemaInfo: schemaInfo(organisation.id, schema.name),
      })
      for (const step of steps) {
        if ('list' in step) {
          const found = model.found(step.list, () => 'spelled', true)
          await expectPages(organisation, 'members', step, found.map(shown))
          continue
        }
        if ('post' in step) await post(organisation, schema, model, step.post)
        else await change(organisation, model, step)
        await expectRecordsAndIndex(
          organisation.id,
          model.records.map(({ id }) => id),
        )
      }
    }),
    runs(7),
  )
})

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

/** Posts a body, and expects that it makes the member it describes, or none. */
async function post(
  { key, get, json, id }: Organisation,
  schema: Schema,
  model: Model,
  body: Body,
) {
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  const answer = await get('/members', { method: 'POST', headers, body: body.body })
  const { shown } = body
  const isTaken = shown?.some(
    ({ key, type, value }) =>
      type === 'uniqueId' &&
      model.records.some(({ document }) => findValue(document, key) === value),
  )
  expect(answer.status).toBe(shown && !isTaken ? 201 : 400)
  if (!shown || isTaken) return
  const { member } = await answer.json<{ member: { id: string } }>()
  const storedMember = { id: member.id, document: documentOf(member.id, shown) }
  model.put([storedMember])
  const single = await json(`/members/${member.id}`)
  expectSame(
    [single],
    [{ member: { memberId: member.id, fields: shown }, schemaInfo: schemaInfo(id, schema.name) }],
  )
}

/** Writes or deletes as an import or an SQL client does. */
async function change(
  { id: organisationId, put }: Organisation,
  model: Model,
  step: Exclude<Step, List | { post: Body }>,
) {
  const one = 'WHERE organisation_id = ? AND id = ?'
  if ('put' in step) {
    const written = step.put.map(({ id, shown }) => ({ id, document: documentOf(id, shown) }))
    await put('members', written)
    model.put(written)
  } else if ('change' in step) {
    const { id, shown } = step.change
    const document = documentOf(id, shown)
    await rows(
      `UPDATE records SET document = ? ${one}`,
      JSON.stringify(document),
      organisationId,
      id,
    )
    model.change({ id, document })
  } else {
    const id = model.records[step.remove]?.id ?? 'nobody'
    await rows(`DELETE FROM records ${one}`, organisationId, id)
    model.remove(id)
  }
}

const documentOf = (memberId: string, shown: FieldObject[]): Record<string, unknown> =>
  Object.fromEntries([
    ['memberId', memberId],
    ...shown.map(({ key, value }): [string, unknown] => [key, value]),
  ])

const findValue = (document: Record<string, unknown>, field: string) =>
  Object.hasOwn(document, field) ? document[field] : undefined

const fieldsOf = ({ fields }: Schema, document: Record<string, unknown>): FieldObject[] =>
  fields
    .filter(({ id }) => Object.hasOwn(document, id))
    .map(({ id, label, type, options }) => ({
      key: id,
      label,
      value: document[id],
      type,
      ...(options && { options }),
    }))

const schemaInfo = (organisationId: string, name: string) => ({
  organisationId,
  schemaId: 'master',
  name,
  _links: { schema: { href: `/api/v1/schemas/${organisationId}` } },
})
