import { expectError, expectText } from './check-response.ts'
import { formatItem, formatList, formatSingle } from './expected-responses.ts'
import type { NewMember, NewMembers } from './new-members.ts'
import type { Organisation } from './organisations.ts'
import type { Random } from './random.ts'
import type { Step } from './step.ts'

/** Creates a member; a repeated request returns the same response. */
export function createMember(member: NewMember): Step {
  member.pending++
  return {
    ...post(member.body),
    headers: { 'Idempotency-Key': member.idempotencyKey },
    credential: member.credential,
    onResponse: () => {
      member.pending--
    },
    findError({ status, text }) {
      if (status !== 201) return `status ${status}: ${text}`
      const { id } = JSON.parse(text).member
      member.id ??= id
      return member.id === id ? undefined : `${id} instead of ${member.id}`
    },
  }
}

/** Reads a created member by id or by number. */
export function readCreatedMember(random: Random, newMembers: NewMembers): Step {
  const { organisation, created } = newMembers
  const member = random.pick(created)
  const record = { memberId: member.id, ...member.values }
  if (random.chance(0.5)) {
    return {
      route: 'GET /members/:memberId',
      path: `/members/${member.id}`,
      findError: expectText(200, () => formatSingle(organisation, 'members', record)),
    }
  }
  const number = encodeURIComponent(String(member.values['Membership Number']))
  const items = [formatItem(organisation, 'members', record)]
  return {
    route: 'GET /members',
    path: `/members?Membership%20Number=${number}`,
    findError: expectText(200, () =>
      formatList(organisation, 'members', items, { offset: 0, limit: 100 }),
    ),
  }
}

/** Tries to create a member with a number that is already used. */
export function createWithTakenNumber(random: Random, { records }: Organisation): Step {
  const number = random.pick(records.members ?? [])['Membership Number']
  return {
    ...post(JSON.stringify({ 'Membership Number': number })),
    findError: expectError(400, 'Membership Number: is already used by another member.'),
  }
}

const post = (body: string) => ({
  route: 'POST /members',
  method: 'POST',
  path: '/members',
  body,
})
