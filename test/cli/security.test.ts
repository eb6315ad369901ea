import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = [...readFileSync('SECURITY.md', 'utf8').matchAll(/^\| (API\d+:2023) .*\| (.*) \|$/gm)]

test.each(rows.map(([, risk = '', tests = '']) => [risk, tests]))(
  'the tests of %s exist',
  (_, tests) => {
    const files = [...tests.matchAll(/`(.*?)`/g)].map(([, file = '']) => file)
    expect(files).not.toHaveLength(0)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  },
)
