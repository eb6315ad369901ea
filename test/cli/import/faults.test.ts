import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileSource } from '../../../cli/import/import-files.ts'
import { threeSixtyGiving } from '../../../src/import/adapters/import-grants.ts'
import { fields, personOf } from '../../examples/people.ts'
import sample from '../fixtures/360giving-sample.json' with { type: 'json' }
import { localState, newOrganisation } from '../local-state.ts'
import { temporaryFolder } from '../temporary-folder.ts'

type Json = Record<string, unknown>

const folder = await temporaryFolder()
const bindings = await localState()

/** A placeholder for personal data. */
const personal = 'Xylophonia Quill'

/** What may stand, wrongly, where a value belongs. */
const wrongs = [personal, [personal], [[personal]], { 0: personal }, `${personal}\u0000`]

/** The record once for each value in it and each wrong in that value's place. */
function spoilt(record: Json): Json[] {
  return pathsIn(record).flatMap((path) => wrongs.map((wrong) => withAt(record, path, wrong)))
}

function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))
  return path.length > 0 ? [path, ...below] : below
}

function withAt(value: unknown, [name, ...rest]: string[], wrong: unknown): Json {
  const copy: Json = structuredClone(value) as Json
  if (name !== undefined) copy[name] = rest.length > 0 ? withAt(copy[name], rest, wrong) : wrong
  return copy
}

const examples = readdirSync('test/examples')
  .filter((file) => file.endsWith('.json'))
  .map((file): [string, Json] => [
    file.replace('.json', ''),
    { ...JSON.parse(readFileSync(`test/examples/${file}`, 'utf8')), managedBy: undefined },
  ])
const people = (['member', 'volunteer', 'partner'] as const).map((kind): [string, Json] => {
  const { $postcode, gone, ...person } = personOf(`${kind}Id`, 'p').document
  return [`${kind}s`, person]
})

test.each([...examples, ...people])(
  'the errors of %s name no value',
  async (collection, example) => {
    const { import: load } = await newOrganisation(bindings)
    const schema = { fields }
    await load({ 'schemas.json': { members: schema, volunteers: schema, partners: schema } })
    const records = spoilt(example)
    let found = 0
    // In small groups, since a result lists only a few kinds of errors.
    for (let from = 0; from < records.length; from += 40) {
      const some = records.slice(from, from + 40)
      const lines = [...some.map((it) => JSON.stringify(it)), `{"${personal}`]
      const outcomes = Object.values(
        await load({ [`${collection}.json`]: some, [`${collection}.ndjson`]: lines.join('\n') }),
      )
      const errors = outcomes.flatMap((it) => (typeof it === 'number' ? [] : it.errors))
      found += errors.reduce((sum, { count }) => sum + count, 0)
      expect(errors.map(({ message }) => message)).not.toContain(
        'There are more kinds of errors than are listed.',
      )
      expect(JSON.stringify(outcomes)).not.toContain(personal)
    }
    expect(found).toBeGreaterThan(records.length)
  },
)

test.each([
  ['a row with a cell too many', `fundId,recipientType\nf,individual,${personal}\n`],
  ['a cell that is not closed', `fundId,recipientType\nf,"${personal}\n`],
  ['no row of names', `${personal},1\nf,individual\n`],
  ['a value of the wrong type', `fundId,recipientType,isOpenCall\nf,${personal},${personal}\n`],
])('the errors of a CSV with %s name no value', async (_, text) => {
  const { import: load } = await newOrganisation(bindings)
  const outcome = await load({ 'funds.csv': text })
  expect(outcome).toEqual({ 'funds.csv': { errors: expect.any(Array) } })
  expect(JSON.stringify(outcome)).not.toContain(personal)
})

test('the errors of published grants name no value', async () => {
  const grants = sample.grants.slice(0, 3).flatMap((grant) => spoilt(grant))
  const path = join(folder, 'grants.json')
  await writeFile(path, JSON.stringify({ grants }))
  const { to } = await newOrganisation(bindings)
  const { errors } = await threeSixtyGiving.import(fileSource(path), to)
  expect(errors.length).toBeGreaterThan(20)
  expect(JSON.stringify(errors)).not.toContain(personal)
})
