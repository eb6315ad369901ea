import { expect, test, vi } from 'vitest'
import { createStateWorker } from '../../cli/state/database.ts'
import { localState } from './local-state.ts'

const { DB } = await localState()

type Asked = { fetch(request: Request, env: object): Promise<Response> }

test('values go to a database and come back as by its own binding', async () => {
  const values = [null, true, 0.1, -0, 2 ** 53, 'é🙂\u0000"', '\ud800', new Uint8Array([0, 255])]
  const columns = values.map((_, index) => `? AS v${index}`).join(', ')
  const query = DB.prepare(`SELECT ${columns}`).bind(...values)
  const [row] = await query.raw()
  expect(row).toEqual([null, 1, 0.1, 0, 2 ** 53, 'é🙂\u0000"', expect.any(String), [0, 255]])
  expect((await query.all()).results).toEqual([
    Object.fromEntries((row ?? []).map((value, index) => [`v${index}`, value])),
  ])
  expect(() => query.bind(undefined)).toThrow("Type 'undefined' not supported")
})

test('every way of asking gives what D1 gives', async () => {
  const two = DB.prepare("SELECT value, 'x' AS value FROM json_each(?)").bind('[1,2]')
  expect(await two.raw({ columnNames: true })).toEqual([
    ['value', 'value'],
    [1, 'x'],
    [2, 'x'],
  ])
  expect(await two.first('value')).toBe('x')
  expect(await DB.prepare('SELECT 1 WHERE false').first()).toBeNull()
  const results = await DB.batch([two, DB.prepare('SELECT 3 AS three')])
  expect(results.map(({ results }) => results)).toEqual([
    [{ value: 'x' }, { value: 'x' }],
    [{ three: 3 }],
  ])
  expect(results[1]?.meta.rows_read).toBe(0)
})

test('a batch that fails changes nothing, and says why', async () => {
  const add = (id: string) =>
    DB.prepare("INSERT INTO organisations (id, name, created) VALUES (?, 'x', '2025')").bind(id)
  const failed = DB.batch([add('batch-1'), add('batch-1')])
  await expect(failed).rejects.toMatchObject({
    message: expect.stringContaining('D1_ERROR: UNIQUE constraint failed: organisations.id'),
    cause: { message: expect.stringContaining('UNIQUE constraint failed') },
  })
  expect(await DB.prepare("SELECT 1 FROM organisations WHERE id = 'batch-1'").first()).toBeNull()
})

test('who does not know the token asks no database, though they reach its port', async () => {
  const { script, openDatabase } = createStateWorker()
  const source = `data:text/javascript,${encodeURIComponent(script)}`
  const { default: worker }: { default: Asked } = await import(source)
  const prepare = vi.fn(() => ({ bind: () => ({ all: async () => 'an answer' }) }))
  const statusWith = async (change: (headers: Headers) => void) => {
    const statuses: number[] = []
    const fetch = async (url: string, init: RequestInit) => {
      const request = new Request(url, init)
      change(request.headers)
      const answer = await worker.fetch(request, { DB: { prepare } })
      statuses.push(answer.status)
      return answer.ok ? answer : Response.json({})
    }
    await openDatabase(fetch, 'DB').prepare('SELECT 1').bind().all()
    return statuses
  }
  expect(await statusWith((headers) => headers.delete('Authorization'))).toEqual([403])
  expect(await statusWith((headers) => headers.set('Authorization', 'another'))).toEqual([403])
  expect(prepare).not.toHaveBeenCalled()
  expect(await statusWith(() => {})).toEqual([200])
})
