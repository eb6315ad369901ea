import { HonoRequest } from 'hono/request'
import { expect, test } from 'vitest'
import { readFormBody } from '../../src/http/body.ts'

const fieldsOf = (body: string | FormData) =>
  readFormBody(
    new HonoRequest(
      new Request('https://data.test', {
        method: 'POST',
        body,
        ...(typeof body === 'string' && {
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        }),
      }),
    ),
  )

const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=${index}`)

test('a field that is given several times is a list, in order', async () => {
  expect(await fieldsOf('a=1&b=2&a=3&__proto__=4')).toEqual(
    Object.fromEntries([
      ['a', ['1', '3']],
      ['b', '2'],
      ['__proto__', '4'],
    ]),
  )
})

test('a form has at most 1,000 fields, however they are named and sent', async () => {
  const refused = {
    type: 'PAYLOAD_TOO_LARGE',
    message: 'A form must have at most 1,000 fields.',
  }
  expect(Object.keys(await fieldsOf(names(1000).join('&')))).toHaveLength(1000)
  await expect(fieldsOf(names(80_000).join('&'))).rejects.toMatchObject(refused)
  await expect(fieldsOf('a=1&'.repeat(1001))).rejects.toMatchObject(refused)
  const parts = new FormData()
  for (const name of names(1001)) parts.append(name, '')
  await expect(fieldsOf(parts)).rejects.toMatchObject(refused)
})
