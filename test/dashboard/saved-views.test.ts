import { expect, test } from 'vitest'
import { newSignedIn } from './signed-in.ts'

const query = '$count=events&$by=tags&tags=Food'

test('a report is saved, opened, changed, renamed and deleted', async () => {
  const person = await newSignedIn('editor')
  await person.put('events', [{ id: 'e', document: { eventId: 'e', tags: ['Food', 'Music'] } }])
  const page = await person.html(`/reports/view?${query}`)
  const [, path = ''] = /href="[^"]*(\/views\/new\?[^"]*)"/.exec(page) ?? []
  const form = await person.html(path.replaceAll('&amp;', '&'))
  expect(form).toContain('name="page" value="reports/view"')
  const created = await person.post('/views', [
    ['page', 'reports/view'],
    ['query', query],
    ['name', 'Food'],
  ])
  expect(created.status).toBe(303)
  const address = (created.headers.get('Location') ?? '').replace(`/dashboard/${person.id}`, '')
  const id = new URL(address, 'https://data.test').searchParams.get('$view')
  const opened = await person.html(address)
  expect(opened).toContain('<h1>Food</h1>')
  expect(opened).toContain(`Saved by ${person.email}`)
  expect(opened).not.toContain('Save changes')
  expect(await person.html(`${address}&$split=name`)).toContain('Save changes')
  expect((await person.post(`/views/${id}/query`, [['query', '$count=events']])).status).toBe(303)
  expect((await person.post(`/views/${id}/rename`, [['name', 'All']])).status).toBe(303)
  expect(await person.html('/reports')).toMatch(/%24count=events&amp;\$view=[^"]*">All</)
  expect(await person.html(`/views/${id}/delete`)).toContain('Delete “All”')
  expect((await person.post(`/views/${id}/delete`, [])).status).toBe(303)
  expect(await person.html('/reports')).not.toContain('>All<')
  expect((await person.visit(`/views/${id}/rename`)).status).toBe(404)
})

test('the views of a page have different names', async () => {
  const person = await newSignedIn('editor')
  const create = (page: string, name: string) =>
    person.post('/views', [
      ['page', page],
      ['query', query],
      ['name', name],
    ])
  expect((await create('records/events', 'Food')).headers.get('Location')).toMatch(
    /\/records\/events\?.*tags=Food&\$view=/,
  )
  const again = await create('records/events', 'Food')
  expect(again.status).toBe(400)
  expect(await again.text()).toContain('is the name of another view. Choose another name.')
  const elsewhere = await create('//example.org', 'Food')
  expect([elsewhere.status, await elsewhere.text()]).toEqual([
    400,
    expect.stringContaining('This page cannot be saved.'),
  ])
  expect((await person.visit('/views/new?page=settings/people')).status).toBe(400)
})

test('readers and other organisations cannot change a view', async () => {
  const [editor, other] = [await newSignedIn('editor'), await newSignedIn('admin')]
  const reader = await newSignedIn('reader', editor)
  const created = await editor.post('/views', [
    ['page', 'reports/view'],
    ['query', query],
    ['name', 'Food'],
  ])
  const address = (created.headers.get('Location') ?? '').replace(`/dashboard/${editor.id}`, '')
  const id = new URL(address, 'https://data.test').searchParams.get('$view')
  const page = await reader.html(address)
  expect(page).toContain('<h1>Food</h1>')
  expect(page).not.toMatch(/Save report|Rename/)
  expect(await other.html(address)).not.toContain('<h1>Food</h1>')
  for (const action of ['rename', 'query', 'delete']) {
    const fields: [string, string][] = [
      ['name', 'Theirs'],
      ['query', ''],
    ]
    expect((await reader.post(`/views/${id}/${action}`, fields)).status).toBe(403)
    expect((await other.post(`/views/${id}/${action}`, fields)).status).toBe(404)
  }
  expect(await reader.html(address)).toContain('<h1>Food</h1>')
})

test('a list has its saved views as tabs, and saves changes of the current one', async () => {
  const person = await newSignedIn('editor')
  await person.put('events', [
    { id: 'e', document: { eventId: 'e', name: 'Lunch', tags: ['Food'] } },
  ])
  const list = await person.html('/records/events?tags=Food')
  const [, path = ''] = /href="[^"]*(\/views\/new\?[^"]*)"[^>]*>Save view</.exec(list) ?? []
  const form = await person.html(path.replaceAll('&amp;', '&'))
  expect(form).toContain('name="query" value="tags=Food"')
  const created = await person.post('/views', [
    ['page', 'records/events'],
    ['query', 'tags=Food'],
    ['name', 'With food'],
  ])
  const address = (created.headers.get('Location') ?? '').replace(`/dashboard/${person.id}`, '')
  const page = await person.html(address)
  expect(page).toMatch(/<a href="[^"]*" aria-current="page">With food <\/a>/)
  expect(page).toContain('Delete “With food”')
  expect(page).not.toMatch(/>Save (?:view|changes)</)
  const changed = await person.html(address.replace('tags=Food', 'tags=Music'))
  expect(changed).toMatch(/name="query" value="tags=Music"/)
  expect(changed).toContain('Save changes')
  const reader = await newSignedIn('reader', person)
  const seen = await reader.html(address)
  expect(seen).toContain('>With food <')
  expect(seen).not.toMatch(/Delete “|Save view|Save changes/)
})
