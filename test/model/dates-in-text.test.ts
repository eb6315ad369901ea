import { expect, test } from 'vitest'
import * as z from 'zod'
import { isDate } from '../../src/model/timestamp.ts'

test('a text is a date exactly if Zod says so', () => {
  const pad = (number: number, length: number) => String(number).padStart(length, '0')
  const years = [0, 4, 100, 1900, 1999, 2000, 2023, 2024, 9999]
  const texts = years.flatMap((year) =>
    Array.from({ length: 14 }, (_, month) =>
      Array.from({ length: 33 }, (_, day) => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`),
    ).flat(),
  )
  const others = [
    '',
    '2024',
    '2024-1-01',
    '02024-01-01',
    '2024-01-01 ',
    '2024-01-01T00:00',
    '２０２４-01-01',
  ]
  for (const text of [...texts, ...others])
    expect([text, isDate(text)]).toEqual([text, z.iso.date().safeParse(text).success])
})
