import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { hashOf } from '../../src/auth/api-key.ts'
import { newOrganisation } from '../organisation.ts'

test('a key is nowhere at rest', async () => {
  const { key, get } = await newOrganisation()
  await get('/events')
  const hash = await hashOf(key)
  expect(await whereHeld(hash)).toEqual(['api_keys.hash', 'KV'])
  expect(await whereHeld(key.slice(0, 8))).toEqual(['api_keys.prefix', 'audit.target'])
  for (const part of [key.slice(0, 12), key.slice(12)]) {
    expect(await whereHeld(part)).toEqual([])
  }
})

/** The columns of the database that hold `text` somewhere, and KV if one of its names or values does. */
async function whereHeld(text: string): Promise<string[]> {
  const held: string[] = []
  const { results: tables } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'`,
  ).all<{ name: string }>()
  for (const { name: table } of tables) {
    const { results: columns } = await env.DB.prepare(
      `SELECT name FROM pragma_table_info('${table}') WHERE type <> 'INTEGER'`,
    ).all<{ name: string }>()
    const counts = [
      '?1',
      ...columns.map(({ name }) => `sum(instr("${name}", ?1) > 0) AS "${name}"`),
    ]
    const found = await env.DB.prepare(`SELECT ${counts} FROM ${table}`).bind(text).first()
    held.push(...columns.filter(({ name }) => found?.[name]).map(({ name }) => `${table}.${name}`))
  }
  const { keys } = await env.KEYS.list()
  const entries = keys.map(async ({ name }) => `${name} ${await env.KEYS.get(name)}`)
  if ((await Promise.all(entries)).some((entry) => entry.includes(text))) held.push('KV')
  return held
}
