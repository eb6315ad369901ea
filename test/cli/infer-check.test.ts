import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileSource } from '../../cli/import/import-files.ts'
import * as platform from '../../cli/state/bindings.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { openTable } from '../../src/import/rows/open-table.ts'
import { walkDocuments } from '../../src/store/read/walk-records.ts'
import { runAdmin } from './in-process.ts'
import { localState, newOrganisation } from './local-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
const bindings = await localState()
const samples = 'demo/exports'

beforeEach(() => {
  vi.spyOn(platform, 'withBindings').mockImplementation((_, work) => work(bindings))
})
afterEach(() => vi.restoreAllMocks())

/** Files of people, of bookings and of answers; `npm run test:long` takes every sample. */
const names =
  process.env.MODE === 'long'
    ? (await readdir(samples)).filter((name) => /\.(?:csv|txt)$/.test(name))
    : ['charity-members.csv', 'eventbrite-attendees.csv', 'google-forms-responses.csv']

/** A cell of another record: another address, a later year, or a longer number. */
function varied(cell: string, by: number): string {
  if (by === 0 || cell === '') return cell
  if (cell.includes('@')) return `x${by}${cell}`
  return /^\d{4}\//.test(cell) ? `${Number(cell.slice(0, 4)) + by}${cell.slice(4)}` : `${cell}${by}`
}

/** A sample so long that it is read in several chunks, with rows that repeat others far above, and twins: other ids at the same address. */
async function messy(sample: string, ids: readonly string[]): Promise<string> {
  const table = await openTable(fileSource(join(samples, sample)))
  const { headings } = table
  const rows = await Array.fromAsync(table.rows(), ({ cells }) => cells)
  const copied = (by: number, addressBy = by) =>
    rows.map((cells) =>
      headings.map((heading, at) => {
        const cell = cells[at] ?? ''
        if (cell.includes('@')) return varied(cell, addressBy)
        return ids.includes(heading) ? varied(cell, by) : cell
      }),
    )
  const copies = Math.ceil(300 / rows.length) + 1
  const all = [
    ...Array.from({ length: copies }, (_, by) => copied(by)).flat(),
    ...copied(0).slice(0, 5),
    // Twins of people who are there, and of people who come with this file.
    ...copied(copies + 1, 0).slice(5, 8),
    ...copied(copies + 2, 1).slice(5, 8),
  ]
  return [headings, ...all]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\r\n')
}

test.each(names)('a dry run of %s predicts its import', async (sample) => {
  const { id } = await newOrganisation(bindings)
  const isOfPeople = !/^eventbrite|^ticket|responses/.test(sample)
  if (!isOfPeople) {
    const events = join(folder, 'events.csv')
    await writeFile(events, 'Event ID,Event name\nE1,Summer Open Day\n')
    await runAdmin('import', id, events, '--infer')
    await runAdmin('import', id, 'demo/schemas.json', 'demo/forms.json')
  }
  const plain = join(folder, sample)
  await copyFile(join(samples, sample), plain)
  const mappingFile = join(folder, `${sample}.json`)
  const importing = async (file: string, ...options: string[]) => {
    const asked = ['--json', 'import', id, file, '--infer', '--mapping', mappingFile]
    const { stdout } = await runAdmin(...asked, ...options)
    return JSON.parse(stdout).files[0].outcome
  }
  // The sample itself comes first: its people are found again, by their ids and by their addresses.
  const first = await importing(plain)
  expect(first.created).toBe(first.rows)
  const { collection, id: key, ...mapping } = JSON.parse(await readFile(mappingFile, 'utf8'))
  const file = join(folder, `messy-${sample}`)
  await writeFile(file, await messy(sample, key.columns))
  const address = mapping.fields.find(({ type }: { type: string }) => type === 'email')
  const options = isOfPeople ? ['--match', address.id] : []
  const checked = await importing(file, ...options, '--dry-run')
  const imported = await importing(file, ...options, '--rejected', `${file}.rest`)
  expect(imported).toEqual(checked)
  expect(checked.rejected).toBeGreaterThanOrEqual(5)
  expect(checked.created).toBeGreaterThan(250)
  const kept = await Array.fromAsync(walkDocuments(operatorStore(bindings.DB, id), collection, 500))
  expect(kept.flat()).toHaveLength(first.created + checked.created)
})
