import { DatabaseSync } from 'node:sqlite'
import type { Measured } from './fixture.ts'
import { median } from './load.ts'
import type { Line } from './report.ts'

const bits = 8192

/**
 * What two filters of 50 % at half depth would read and take by bitmaps of their terms' rows. It is
 * the way not taken: whoever writes a member would write a bitmap of 1 KiB for each of its values.
 */
export function bitmaps(file: string, { id, members }: Measured, rounds: number): Line[] {
  const db = new DatabaseSync(file)
  db.exec(
    'CREATE TEMP TABLE bitmaps (term INTEGER, block INTEGER, bits BLOB, PRIMARY KEY (term, block))',
  )
  const term = db.prepare(
    "SELECT id FROM terms WHERE organisation_id = ? AND collection = 'members' AND field = ? AND value = ?",
  )
  const terms = [
    Number(term.get(id, 'Status', 'active')?.id),
    Number(term.get(id, 'Consent', Uint8Array.of(1))?.id),
  ]
  for (const of of terms) write(db, of)
  const times: number[] = []
  let read = 0
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    read = page(db, terms, members / 8)
    times.push(performance.now() - begun)
  }
  db.close()
  return [
    {
      measure: `two filters of 50 %, at half of ${members.toLocaleString('en-GB')}, if terms had bitmaps: rows read`,
      result: `${read}, in ${median(times).toFixed(1)} ms, but a row more written for each value of a member`,
    },
  ]
}

/** Finds the page of 100 at `offset` among the rows that have both terms; gives how many rows that read. */
function page(db: DatabaseSync, terms: readonly number[], offset: number): number {
  const both = db.prepare(
    `SELECT one.block, one.bits AS one, other.bits AS other
    FROM bitmaps AS one JOIN bitmaps AS other USING (block)
    WHERE one.term = ? AND other.term = ? ORDER BY block`,
  )
  const record = db.prepare('SELECT document FROM records WHERE row = ?')
  let before = 0
  let found = 0
  let read = 0
  for (const { block, one, other } of both.iterate(...terms)) {
    read += 2
    for (const [byte, has] of bytesOf(one).entries()) {
      const matched = has & (bytesOf(other)[byte] ?? 0)
      for (let bit = 0; bit < 8 && found < 100; bit++) {
        if ((matched >> bit) % 2 === 0 || before++ < offset) continue
        if (!record.get(Number(block) * bits + byte * 8 + bit)) throw new Error('No such record.')
        found++
      }
    }
    if (found === 100) break
  }
  return read + found
}

function write(db: DatabaseSync, term: number): void {
  const blocks = new Map<number, Uint8Array>()
  for (const { row } of db.prepare('SELECT row FROM postings WHERE term = ?').iterate(term)) {
    const block = Math.floor(Number(row) / bits)
    const bitmap = blocks.get(block) ?? new Uint8Array(bits / 8)
    blocks.set(block, bitmap)
    const at = Number(row) % bits
    bitmap[at >> 3] = (bitmap[at >> 3] ?? 0) | (1 << (at & 7))
  }
  const insert = db.prepare('INSERT INTO bitmaps VALUES (?, ?, ?)')
  for (const [block, bitmap] of blocks) insert.run(term, block, bitmap)
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new Error('A bitmap is a blob.')
}
