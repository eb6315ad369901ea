import { expect, test } from 'vitest'
import type { ImportRow } from '../../src/import/candidates/import-row.ts'
import type { RecordDestination } from '../../src/import/destination/destination.ts'
import { type FileRows, ImportPass, importRows } from '../../src/import/import-rows.ts'
import type { Rules } from '../../src/records/rules.ts'

const rules: Rules = {
  collection: 'members',
  id: 'memberId',
  unique: ['Number'],
  sources: [],
  check: () => ({ errors: [] }),
  merge: (_, patch) => ({ value: { id: 'ada', document: JSON.stringify(patch) } }),
  normalisePatch: (patch) => patch,
}

// Another request takes the value between the check and the write.
const destination: RecordDestination = {
  organisationId: 'oak',
  readDocuments: async () => new Map(),
  findOwners: async () => [],
  findSimilar: async () => new Map(),
  addDerived: async (_, records) => [...records],
  write: async () => ({ changed: [], taken: [{ field: 'Number', value: '7' }] }),
  fillPeople: async () => {},
  finishImport: async () => {},
}

const row = (line: number, id: string, errors: ImportRow['errors']): ImportRow => ({
  line,
  id,
  errors,
  document: undefined,
  patch: { Number: '7' },
  warnings: [],
})

test('a row that its write rejects is rejected once, however long the other rejections take', async () => {
  const rejected: number[] = []
  const taken = Promise.withResolvers<void>()
  const rows: Omit<FileRows<ImportRow>, 'chunks'> = {
    target: rules,
    unique: { accept: async (rows) => rows, holders: () => [] },
    addError: (row, { field, message, code }) =>
      row.errors.push({ column: field, value: '', message, code }),
    check() {},
    async reject({ line }) {
      rejected.push(line)
      if (line === 3) taken.resolve()
      else await taken.promise
    },
  }
  const pass = new ImportPass(rows, destination, 'write')
  const error = {
    column: 'Number',
    value: '',
    message: 'must be a text.',
    code: 'invalid_type' as const,
  }
  await pass.importChunk([row(2, '', [error]), row(3, 'ada', [])])
  await pass.finish()
  expect(rejected.toSorted()).toEqual([2, 3])
  expect({ rows: pass.report.rows, ...pass.report.result }).toMatchObject({
    rows: 2,
    rejected: 2,
    created: 0,
  })
})

test.each([
  ['preview', 'is unreadable'],
  ['write', 'interrupted'],
] as const)(
  'a failure is explained only to a %s that may have written',
  async (effect, message) => {
    const rows: FileRows<ImportRow> = {
      target: rules,
      async *chunks() {
        yield [row(2, 'ada', [])]
        throw new Error('is unreadable')
      },
      unique: { accept: async (rows) => rows, holders: () => [] },
      addError() {},
      check() {},
      explainFailure: (_, cause) => new Error('interrupted', { cause }),
    }
    const accepting = { ...destination, write: async () => ({ changed: [], taken: [] }) }
    await expect(importRows(rows, accepting, effect)).rejects.toThrow(message)
  },
)
