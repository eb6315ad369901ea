import { collectionNames } from '../../../src/model/collection.ts'
import { deliver } from '../../../src/webhooks/deliver.ts'
import { changeNames } from '../../../src/webhooks/message.ts'
import { addWebhook } from '../../../src/webhooks/new-secret.ts'
import { defaultEnvironment, type Environment } from '../../../src/webhooks/send.ts'
import {
  type DeliveredChange,
  expectLastChange,
  type LastChange,
  selectLastChanges,
} from '../../model/delivered-changes.ts'
import { attempt } from './faults.ts'
import type { World } from './world.ts'

/** The receiver of a webhook. */
type Receiver = {
  /** The organisation's version when the webhook was added. */
  since: number
  /** The accepted messages, including those with a lost answer. */
  accepted: DeliveredChange[]
}

/** The receivers of an organisation's webhooks, by their addresses. */
type Receivers = ReadonlyMap<string, Receiver>

/** Adds webhooks for every change. */
export async function addReceivers(world: World, count: number): Promise<Receivers> {
  const receivers = new Map<string, Receiver>()
  for (let index = 0; index < count; index++) {
    const url = `https://hooks.charity.org.uk/${index}`
    const settings = { url, collections: collectionNames, changes: changeNames }
    receivers.set(url, { since: world.version, accepted: [] })
    await world.invoke((env) => addWebhook(env, world.openStore(env), settings))
  }
  return receivers
}

/** Delivers the due messages, as the queue and the schedule do. */
export async function deliverDue(world: World, receivers: Receivers): Promise<void> {
  const environment = openNetwork(world, receivers)
  await attempt(() =>
    world.invoke(async (env) => (await deliver(env, undefined, environment)).done),
  )
}

/** Expects that each receiver has the last change of every record. */
export function checkReceivers({ home, organisationId }: World, receivers: Receivers): void {
  const changes = home.inspect<LastChange>(selectLastChanges, organisationId)
  for (const { since, accepted } of receivers.values())
    for (const change of changes) if (change.version > since) expectLastChange(accepted, change)
}

/** A network with receivers that reject messages, answer late, or accept a message and lose the answer. */
function openNetwork({ simulation }: World, receivers: Receivers): Environment {
  return {
    ...defaultEnvironment,
    async fetch(url, { body, signal }) {
      await simulation.pause(simulation.random.integer(0, 20))
      if (simulation.happens('fails')) return new Response(null, { status: 500 })
      receivers.get(url)?.accepted.push(JSON.parse(String(body)))
      simulation.note('a message arrives', body)
      const timeout = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
      return Promise.race([simulation.call('receiver', async () => new Response()), timeout])
    },
  }
}
