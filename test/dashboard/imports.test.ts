import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { newWriter } from '../resources/writing.ts'
import { rows } from '../store/whole-index.ts'
import { newSignedIn } from './signed-in.ts'

/** An organisation with three imports of members: two new ones, of which one changes twice. */
async function withImports() {
  const writer = await newWriter()
  for (const members of [
    [{ memberId: 'm1', 'Full Name': 'Ada Obi' }],
    [
      { memberId: 'm1', 'Full Name': 'Eve Obi' },
      { memberId: 'm2', 'Full Name': 'Ben Cole' },
    ],
  ])
    await writer.send('POST', '/imports?collection=members', members)
  await rows("UPDATE imports SET file = 'people.csv' WHERE organisation_id = ?", writer.id)
  const person = await newSignedIn('editor', writer)
  const [id = ''] = [...(await person.html('/import/done')).matchAll(/import\/done\/(\d+)"/g)].map(
    ([, id = '']) => id,
  )
  return { ...writer, person, path: `/import/done/${id}` }
}

const texts = (html: string) =>
  [...html.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
    cell.replaceAll(/<[^>]*>/g, ''),
  )

test('imports are listed with their files, and their pages show the records', async () => {
  const { person, path } = await withImports()
  const list = await person.html('/import/done')
  expect(texts(list)).toEqual(
    expect.arrayContaining(['people.csv', 'Members', '1', '1', '0', '0', '–']),
  )
  const page = await person.html(path)
  expect(texts(page)).toEqual([
    ...['Record', 'Kind', 'Change', 'Since then'],
    ...['Eve Obi', 'Members', 'Changed', '–', 'Ben Cole', 'Members', 'New', '–'],
  ])
})

test('an undo returns everything, shows the rest, and can be repeated', async () => {
  const { person, path, send, json } = await withImports()
  await send('PATCH', '/members/m2', { Phone: '07700900123' })
  const page = await (await person.post(`${path}/undo`, [])).text()
  expect(page).toContain('1 reverted, 1 left')
  expect(texts(page).slice(4)).toEqual(['Ben Cole', 'Members', 'New', 'Changed'])
  expect(await json('/members/m1')).toMatchObject({
    member: { fields: [expect.objectContaining({ value: 'Ada Obi' })] },
  })
  await send('DELETE', '/members/m2')
  const context = createExecutionContext()
  const init = { method: 'POST', headers: { Accept: 'application/x-ndjson' } }
  const streamed = await person.visit(`${path}/undo`, init, context)
  const lines = (await streamed.text()).trim().split('\n')
  await waitOnExecutionContext(context)
  expect(JSON.parse(lines[0] ?? '')).toEqual({ rows: 1, total: 2 })
  expect(JSON.parse(lines.at(-1) ?? '').page).toContain('This import is undone: 1 reverted.')
  expect(await person.html('/import/done')).toContain('<td data-label="Undone">1 reverted</td>')
})

test('an import that cannot be undone says why, and readers see no imports', async () => {
  const { person, path, id, ...writer } = await withImports()
  await rows("UPDATE imports SET at = '2020-01-01T00:00:00.000Z' WHERE organisation_id = ?", id)
  const refused = await person.post(`${path}/undo`, [])
  expect(refused.status).toBe(409)
  const page = await refused.text()
  expect(page).toContain('This import can no longer be undone')
  expect(page).not.toContain('Undo this import')
  expect((await person.visit('/import/done/999')).status).toBe(404)
  const reader = await newSignedIn('reader', { ...writer, id })
  expect((await reader.visit('/import/done')).status).toBe(403)
})
