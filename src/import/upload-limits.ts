// Of the 128 MB of an isolate.
const maxReservedBytes = 56 << 20

/** The maximum size of an upload while no others run: two thirds of the memory. */
export const maxUploadBytes = Math.floor((maxReservedBytes * 2) / 3)

let reservedBytes = 0
const reservedByOrganisation = new Map<string, number>()

/**
 * Takes memory for an upload of an organisation, and returns whether it got it. An organisation may use
 * twice the free memory: two thirds if it is alone, so that there is always room for another.
 */
export function reserveMemory(organisationId: string, bytes: number): boolean {
  const organisationBytes = (reservedByOrganisation.get(organisationId) ?? 0) + bytes
  if (organisationBytes > 2 * (maxReservedBytes - reservedBytes - bytes)) return false
  reservedBytes += bytes
  reservedByOrganisation.set(organisationId, organisationBytes)
  return true
}

/** Gives back memory that an organisation has taken. */
export function releaseMemory(organisationId: string, bytes: number): void {
  const organisationBytes = (reservedByOrganisation.get(organisationId) ?? 0) - bytes
  reservedBytes -= bytes
  if (organisationBytes > 0) reservedByOrganisation.set(organisationId, organisationBytes)
  else reservedByOrganisation.delete(organisationId)
}

/*
 * Limits of a file that is sent over HTTPS: it must fit into a Worker's memory, and be written with the
 * 1,000 statements that D1 takes from one request.
 */

export const maxFileBytes = 50 << 20
export const maxRecords = 50_000
