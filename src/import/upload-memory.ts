// Of the 128 MB of an isolate.
const maxHeldBytes = 56 << 20

/** What one upload can hold while there are no others: an organisation may use twice what is left. */
export const maxUploadBytes = Math.floor((maxHeldBytes * 2) / 3)

let heldBytes = 0
const heldByOrganisation = new Map<string, number>()

/**
 * Takes memory for an upload of an organisation, and returns whether it got it. An organisation may use
 * twice what is left: alone two thirds of all, and however many use as much as they may, there is room for another.
 */
export function takeMemory(organisationId: string, bytes: number): boolean {
  const own = (heldByOrganisation.get(organisationId) ?? 0) + bytes
  if (own > 2 * (maxHeldBytes - heldBytes - bytes)) return false
  heldBytes += bytes
  heldByOrganisation.set(organisationId, own)
  return true
}

/** Gives back memory that an organisation has taken. */
export function releaseMemory(organisationId: string, bytes: number): void {
  const own = (heldByOrganisation.get(organisationId) ?? 0) - bytes
  heldBytes -= bytes
  if (own > 0) heldByOrganisation.set(organisationId, own)
  else heldByOrganisation.delete(organisationId)
}
