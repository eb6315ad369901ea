import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { runs } from '../runs.ts'
import { bodies } from './bodies.ts'

test('of the bodies that are made up, some fit their schema and some do not', () => {
  const sampled = fc.sample(bodies, { numRuns: 100, seed: 1 })
  expect(new Set(sampled.map(({ shown }) => shown !== undefined))).toEqual(new Set([true, false]))
})

test('a body is rejected, or its member has exactly its values', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async ({ schema, body, shown }) => {
      const { key, get, json, schema: putSchema } = await newOrganisation()
      await putSchema('members', schema.fields)
      const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
      const answer = await get('/members', { method: 'POST', headers, body })
      const { member, message } = await answer.json<{ member?: { id: string }; message?: string }>()
      expect([answer.status, message]).toEqual(shown ? [201, undefined] : [400, expect.any(String)])
      const list = await json<{ members: { memberId: string; fields: Shown[] }[] }>('/members')
      expect(list.members.map(({ memberId }) => memberId)).toEqual(member ? [member.id] : [])
      if (!shown) return
      const single = await json<{ member: { fields: Shown[] } }>(`/members/${member?.id}`)
      expect(JSON.stringify(single.member.fields)).toBe(JSON.stringify(shown))
      const inList = shown.map(({ options: _, ...field }) => field)
      expect(JSON.stringify(list.members[0]?.fields)).toBe(JSON.stringify(inList))
    }),
    runs(50),
  )
})

type Shown = { key: string; value: unknown }
