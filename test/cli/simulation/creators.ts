import { expect } from 'vitest'
import { Records } from '../../../src/records/records.ts'
import { resource as members } from '../../../src/resources/members.ts'
import { attempt } from './faults.ts'
import type { World } from './world.ts'

/** A member to create, with the id in the answer. */
export type CreatedMember = { name: string; id?: string | undefined }

/** Creates a member. Sends the same request with its Idempotency-Key until it is answered, a few times. */
export async function createMember(world: World, member: CreatedMember): Promise<void> {
  const { simulation } = world
  const { name } = member
  const input = { 'Full Name': name }
  const key = { key: name, body: JSON.stringify(input) }
  for (let attempts = 0; attempts < 4 && member.id === undefined; attempts++) {
    await simulation.pause(simulation.random.integer(0, world.maxPauseMs))
    member.id = await attempt(() =>
      world.invoke((env) =>
        new Records(world.openStore(env), env.GEOGRAPHY, env.KEYS).createMember(
          members,
          input,
          key,
        ),
      ),
    )
  }
}

/** Expects that a member was created once, or not at all if no answer said so. */
export function checkMember({ home }: World, { name, id }: CreatedMember): void {
  const created = home.inspect<{ id: string }>(
    `SELECT id FROM records WHERE collection = 'members' AND document ->> '$."Full Name"' = ?`,
    name,
  )
  expect(created.length, 'A member was created twice').toBeLessThanOrEqual(1)
  if (id !== undefined) expect(created, 'A created member is lost').toEqual([{ id }])
}
