import { is, isError } from './judge.ts'
import type { NewMember, NewMembers } from './new-members.ts'
import type { Organisation } from './organisations.ts'
import type { Question } from './question.ts'
import type { Seeded } from './seeded.ts'
import { item, list, single } from './served.ts'

/** The request that creates a member, the first time or again: the answer is the same. */
export function creation(member: NewMember): Question {
  member.pending++
  return {
    ...post(member.body),
    headers: { 'Idempotency-Key': member.idempotencyKey },
    by: member.by,
    answered: () => {
      member.pending--
    },
    fault({ status, text }) {
      if (status !== 201) return `status ${status}: ${text}`
      const { id } = JSON.parse(text).member
      member.id ??= id
      return member.id === id ? undefined : `${id}, who was created as ${member.id}`
    },
  }
}

/** A member who was created, alone or found by their number. */
export function createdMember(random: Seeded, newMembers: NewMembers): Question {
  const { organisation, created } = newMembers
  const member = random.pick(created)
  const record = { memberId: member.id, ...member.values }
  if (random.chance(0.5)) {
    return {
      route: 'GET /members/:memberId',
      path: `/members/${member.id}`,
      fault: is(200, () => single(organisation, 'members', record)),
    }
  }
  const number = encodeURIComponent(String(member.values['Membership Number']))
  const found = [item(organisation, 'members', record)]
  return {
    route: 'GET /members',
    path: `/members?Membership%20Number=${number}`,
    fault: is(200, () => list(organisation, 'members', found, { offset: 0, limit: 100 })),
  }
}

/** A creation that is refused: another member has the number, which is theirs alone. */
export function numberOfAnother(random: Seeded, { records }: Organisation): Question {
  const number = random.pick(records.members ?? [])['Membership Number']
  return {
    ...post(JSON.stringify({ 'Membership Number': number })),
    fault: isError(400, 'Membership Number: is already used by another member.'),
  }
}

const post = (body: string) => ({
  route: 'POST /members',
  method: 'POST',
  path: '/members',
  body,
})
