import { expect, test } from 'vitest'
import { collections, newWriter, putExamples } from '../resources/writing.ts'

const forms = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
} as const

test.each(collections)(
  'a list of %s, sent back in every format, changes nothing, not even properties of single answers',
  async (collection, _, idName) => {
    const writer = await newWriter()
    await putExamples(writer)
    const { get, key, json } = writer
    const [records = []] = Object.values(await json<Record<string, object[]>>(`/${collection}`))
    const ids = records.map((record) => new Map(Object.entries(record)).get(idName))
    const readAll = () => Promise.all(ids.map((id) => writer.read(`/${collection}/${id}`)))
    const singles = await readAll()
    expect(new Set(singles.map(({ status }) => status))).toEqual(new Set([200]))
    const first = (await json<{ next: string }>('/changes?$after=latest')).next
    for (const [format, type] of Object.entries(forms)) {
      const list = await get(`/${collection}?$format=${format}&$include=times&$bom=true`)
      const body = await list.arrayBuffer()
      expect(new TextDecoder().decode(body)).toContain('$created')
      const answer = await get(`/imports?collection=${collection}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'Content-Type': type },
        body,
      })
      expect([format, await answer.json()]).toEqual([
        format,
        { created: 0, updated: 0, unchanged: ids.length, rejected: 0, errors: [] },
      ])
      expect(await readAll()).toEqual(singles)
    }
    expect(await json(`/changes?$after=${first}`)).toMatchObject({ changes: [] })
  },
)

test('formulas and texts with commas, quotes and line ends come back unchanged', async () => {
  const writer = await newWriter()
  const { get, key, json } = writer
  const names = ['=1+1', "'=quoted", '-5', '@x', '+44 20', "'", 'a,"b"\r\nc', ' spaced ', '＝']
  for (const [place, name] of names.entries())
    await writer.send('PUT', `/events/e${place}`, { name })
  const csv = await (await get('/events?$format=csv&$bom=true')).arrayBuffer()
  for (const place of names.keys()) await writer.send('DELETE', `/events/e${place}`)
  const answer = await get('/imports?collection=events', {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'text/csv' },
    body: csv,
  })
  expect(await answer.json()).toMatchObject({ created: names.length, errors: [] })
  const { events } = await json<{ events: { name: string }[] }>('/events')
  expect(events.map(({ name }) => name)).toEqual(names)
})
