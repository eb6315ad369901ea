import { HonoRequest } from 'hono/request'
import { expect, test } from 'vitest'
import { readFormValues } from '../../src/public/ui/form-values.ts'

const read = (body: string, type = 'application/x-www-form-urlencoded') =>
  readFormValues(
    new HonoRequest(
      new Request('https://data.test', { method: 'POST', body, headers: { 'Content-Type': type } }),
    ),
  )

test.each([
  ['day=4&month=2&year=2018', '2018-02-04'],
  ['day=&month=+&year=', ''],
  ['day=4&month=&year=2018', '4  2018'],
  ['day=4&month=Feb&year=2018', '4 Feb 2018'],
])('the date %s is read as "%s"', async (parts, day) => {
  const body = parts.replaceAll(/(\w+)=/g, 'born.$1=')
  expect((await read(body)).day('born')).toBe(day)
})

test('a form has at most 64 KiB, 1,000 values and no files', async () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, index) => `f${index}=1`).join('&')
  expect((await read(names(1000))).text('f999')).toBe('1')
  await expect(read(names(1001))).rejects.toMatchObject({ type: 'PAYLOAD_TOO_LARGE' })
  await expect(read(`name=${'a'.repeat(64 << 10)}`)).rejects.toMatchObject({
    type: 'PAYLOAD_TOO_LARGE',
  })
  await expect(read('name=a', 'multipart/form-data; boundary=x')).rejects.toMatchObject({
    type: 'UNSUPPORTED_MEDIA_TYPE',
  })
})
