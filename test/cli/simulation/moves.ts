import { expect } from 'vitest'
import { moveOrganisation } from '../../../src/admin/move/move-organisation.ts'
import { readOrganisationRows } from '../../store/organisation-rows.ts'
import { attempt } from './faults.ts'
import type { World } from './world.ts'

/** Moves the organisation. Repeats a move that a fault interrupts, a few times. */
export async function moveTo(world: World, target: 'DB' | 'DB_1'): Promise<void> {
  const { simulation, organisationId } = world
  for (let attempts = 0; attempts < 3; attempts++) {
    await simulation.pause(simulation.random.integer(0, 500))
    const isMoved = await attempt(async () => {
      await world.invoke((env) => moveOrganisation(env, organisationId, target, () => {}))
      return true
    })
    if (isMoved) return
  }
}

/** Expects that only the target has rows of the organisation, apart from its row in the directory. */
export async function checkMove(world: World, target: 'DB' | 'DB_1'): Promise<void> {
  const { databases, organisationId } = world
  expect(world.home === databases[target], 'The organisation has not moved').toBe(true)
  const source = databases[target === 'DB' ? 'DB_1' : 'DB']
  const { organisations = [], ...others } = await readOrganisationRows(source, organisationId)
  expect(organisations.length).toBeLessThanOrEqual(1)
  expect(Object.values(others).flat(), 'The move has left rows').toEqual([])
}
