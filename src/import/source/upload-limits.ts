// An isolate has 128 MB in total.
const maxReservedBytes = 56 << 20

/** The maximum compressed size of an upload: two thirds of the memory for uploads. */
export const maxUploadBytes = Math.floor((maxReservedBytes * 2) / 3)

let reservedBytes = 0
const reservedByOrganisation = new Map<string, number>()

/**
 * Reserves memory for an organisation's upload, and returns whether there was enough. An
 * organisation may use twice the free memory: two thirds if it is alone, so others find room.
 */
export function reserveMemory(organisationId: string, bytes: number): boolean {
  const organisationBytes = (reservedByOrganisation.get(organisationId) ?? 0) + bytes
  if (organisationBytes > 2 * (maxReservedBytes - reservedBytes - bytes)) return false
  reservedBytes += bytes
  reservedByOrganisation.set(organisationId, organisationBytes)
  return true
}

/** Releases memory that an organisation reserved. */
export function releaseMemory(organisationId: string, bytes: number): void {
  const organisationBytes = (reservedByOrganisation.get(organisationId) ?? 0) - bytes
  reservedBytes -= bytes
  if (organisationBytes > 0) reservedByOrganisation.set(organisationId, organisationBytes)
  else reservedByOrganisation.delete(organisationId)
}

/*
 * The limits of a file sent over HTTPS: it must fit into a Worker's memory, and the import into the
 * 1,000 statements that D1 accepts per request.
 */

export const maxFileBytes = 50 << 20
export const maxRecords = 50_000
