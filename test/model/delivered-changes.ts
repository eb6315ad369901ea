import { expect } from 'vitest'

/** A message of a webhook, as far as the model describes it. */
export type DeliveredChange = {
  type: string
  data: { collection: string; id: string; version: number }
}

/** The last change of a record. */
export type LastChange = { collection: string; id: string; version: number; isGone: number }

/** SQL for the last change of each record of an organisation. */
export const selectLastChanges = `
  SELECT collection, id, version, first_version AS firstVersion, 0 AS isGone
  FROM records WHERE organisation_id = ?1
  UNION ALL SELECT collection, id, version, 0, 1 FROM deletions WHERE organisation_id = ?1`

/** Expects that a receiver has taken the last change of a record, and its changes in order. Returns those messages. */
export function expectLastChange<Message extends DeliveredChange>(
  taken: readonly Message[],
  { collection, id, version, isGone }: LastChange,
): Message[] {
  const messages = taken.filter(({ data }) => data.id === id && data.collection === collection)
  const versions = messages.map(({ data }) => data.version)
  expect(versions, 'Messages are out of order').toEqual(
    versions.toSorted((one, other) => one - other),
  )
  expect(versions.at(-1), 'A message was skipped').toBe(version)
  expect(messages.at(-1)?.type.endsWith('.deleted')).toBe(isGone === 1)
  return messages
}
