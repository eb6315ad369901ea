import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileSource } from '../../cli/import/import-files.ts'
import { threeSixtyGiving } from '../../src/import/adapters/import-grants.ts'
import { badNumbers, bankDetails, hidden } from '../resources/bank-details.ts'
import { findText } from '../store/find-text.ts'
import sample from './fixtures/360giving-sample.json' with { type: 'json' }
import { localState, newOrganisation } from './local-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
const bindings = await localState()

type Details = { accountNumber: unknown; sortCode: unknown }

const record = (id: string, bankAccount: object) => ({
  disbursementId: id,
  status: 'PAID',
  bankAccount,
})

const quoted = (cell: unknown) => `"${cell}"`

/** The same records in every form of file that can be imported. */
const files: Record<string, (details: readonly Details[]) => string> = {
  'disbursements.json': (details) =>
    JSON.stringify({ disbursements: details.map((it, index) => record(`d${index}`, it)) }),
  'disbursements.ndjson': (details) =>
    details.map((it, index) => JSON.stringify(record(`d${index}`, it))).join('\n'),
  'disbursements.csv': (details) =>
    [
      'disbursementId,status,bankAccount.accountNumber,bankAccount.sortCode',
      ...details.map(({ accountNumber, sortCode }, index) =>
        [`d${index}`, 'PAID', quoted(accountNumber), quoted(sortCode)].join(','),
      ),
    ].join('\n'),
}

test('bank details imported from any form of file, again and again, are redacted in every row and answer', async () => {
  const several = fc.array(bankDetails, { minLength: 1, maxLength: 4 })
  const imports = fc.array(fc.tuple(fc.constantFrom(...Object.keys(files)), several), {
    minLength: 1,
    maxLength: 3,
  })
  await fc.assert(
    fc.asyncProperty(imports, async (imports) => {
      const { import: load, get } = await newOrganisation(bindings)
      const expected = new Map<number, object>()
      for (const [name, details] of imports) {
        const text = files[name]?.(details.map(({ input }) => input)) ?? ''
        expect(await load({ [name]: text })).toEqual({ [name]: details.length })
        for (const [index, { stored }] of details.entries()) expected.set(index, stored)
      }
      const list = await get<{ disbursements: { bankAccount: object }[] }>('disbursements')
      expect(list.disbursements.map(({ bankAccount }) => bankAccount)).toMatchObject([
        ...expected.values(),
      ])
      expect(JSON.stringify(list)).not.toContain(hidden)
    }),
    { numRuns: 15 },
  )
  expect(await findText(bindings, hidden)).toEqual([])
})

test('rejects an invalid account number without repeating it', async () => {
  await fc.assert(
    fc.asyncProperty(badNumbers, fc.constantFrom(...Object.keys(files)), async (bad, name) => {
      // In a cell, a number is a text of digits.
      fc.pre(!name.endsWith('.csv') || String(bad) !== hidden)
      const { import: load } = await newOrganisation(bindings)
      const outcome = await load({
        [name]: files[name]?.([{ accountNumber: bad, sortCode: '' }]) ?? '',
      })
      expect(outcome).toEqual({ [name]: { errors: [expect.anything()] } })
      expect(JSON.stringify(outcome)).not.toContain(hidden)
    }),
    { numRuns: 30 },
  )
  expect(await findText(bindings, hidden)).toEqual([])
})

test('of a published grant no account number is kept', async () => {
  const bankAccount = { accountNumber: hidden }
  const grants = sample.grants.map((grant) => ({
    ...grant,
    bankAccount,
    recipientOrganization: [{ ...grant.recipientOrganization?.[0], bankAccount }],
  }))
  const path = join(folder, 'grants.json')
  await writeFile(path, JSON.stringify({ grants }))
  const { to } = await newOrganisation(bindings)
  expect(await threeSixtyGiving.import(fileSource(path), to)).toMatchObject({
    numbers: { applications: grants.length },
    errors: [],
  })
  expect(await findText(bindings, hidden)).toEqual([])
})
