import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { runs } from '../runs.ts'
import { bodies } from './bodies.ts'

test('a body is refused, or its member is served with just what it gives', async () => {
  const outcomes = new Set<number>()
  await fc.assert(
    fc.asyncProperty(bodies, async ({ schema, body, shown }) => {
      const { key, get, json, schema: putSchema } = await newOrganisation()
      await putSchema('members', schema.fields)
      const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
      const answer = await get('/members', { method: 'POST', headers, body })
      const { member, message } = await answer.json<{ member?: { id: string }; message?: string }>()
      outcomes.add(answer.status)
      expect([answer.status, message]).toEqual(shown ? [201, undefined] : [400, expect.any(String)])
      const list = await json<{ members: { memberId: string; fields: Shown[] }[] }>('/members')
      expect(list.members.map(({ memberId }) => memberId)).toEqual(member ? [member.id] : [])
      if (!shown) return
      const single = await json<{ member: { fields: Shown[] } }>(`/members/${member?.id}`)
      expect(JSON.stringify(single.member.fields)).toBe(JSON.stringify(shown))
      const listed = shown.map(({ options: _, ...field }) => field)
      expect(JSON.stringify(list.members[0]?.fields)).toBe(JSON.stringify(listed))
    }),
    runs(60),
  )
  expect(outcomes).toEqual(new Set([201, 400]))
})

type Shown = { key: string; value: unknown }
