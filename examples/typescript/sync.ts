import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { client } from './client.ts'

// Keeps a copy of every record in a folder: `API_KEY=sk_... node sync.ts copy`. The first run takes
// everything, each later one what changed since. A collection is a file with a JSON object a line,
// {"id", "record"}. The copy holds personal data: keep it as safe as the records themselves.

const [, , folder = 'copy'] = process.argv
const cursorFile = `${folder}/cursor`

/** The records of each collection, by id. */
type Copy = Map<string, Map<string, unknown>>

/** Applies the changes after a cursor to the copy, and returns the next cursor. */
async function follow(copy: Copy, after: string | undefined): Promise<string> {
  for (let cursor = after; ; ) {
    const { data, error, response } = await client.GET('/changes', {
      params: { query: { $after: cursor, $include: 'records', limit: 250 } },
    })
    if (response.status === 410 && cursor !== undefined) {
      // The cursor is older than the deletions that the API remembers: start again.
      for (const records of copy.values()) records.clear()
      cursor = undefined
      continue
    }
    if (error) throw new Error(`${error.type}: ${error.message}`)
    for (const { collection, id, change, record } of data.changes) {
      const records = copy.get(collection) ?? new Map<string, unknown>()
      copy.set(collection, records)
      if (change === 'deleted') records.delete(id)
      else records.set(id, record)
    }
    cursor = data.next
    if (!data.more) return cursor
  }
}

async function read(): Promise<Copy> {
  const copy: Copy = new Map()
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.ndjson')) continue
    const lines = (await readFile(`${folder}/${file}`, 'utf8')).split('\n').filter(Boolean)
    const records = lines.map((line) => JSON.parse(line) as { id: string; record: unknown })
    copy.set(
      file.slice(0, -'.ndjson'.length),
      new Map(records.map(({ id, record }) => [id, record])),
    )
  }
  return copy
}

/** Replaces each file in one step, so that an interruption leaves the old or the new one. */
async function write(file: string, text: string) {
  await writeFile(`${file}.new`, text, { flush: true })
  await rename(`${file}.new`, file)
}

// Only the current user may read the copy.
process.umask(0o077)
await mkdir(folder, { recursive: true })
const copy = await read()
const cursor = await readFile(cursorFile, 'utf8').catch(() => undefined)
const next = await follow(copy, cursor)
for (const [collection, records] of copy) {
  const lines = [...records].map(([id, record]) => `${JSON.stringify({ id, record })}\n`)
  await write(`${folder}/${collection}.ndjson`, lines.join(''))
}
// Save the cursor last, so that an interrupted run repeats the same changes.
await write(cursorFile, next)
