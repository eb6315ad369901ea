/*
 * How much a file has that is sent over HTTPS: what fits into a Worker's memory, and can be kept with the
 * 1,000 statements that D1 takes from one request.
 */

export const maxFileBytes = 50 << 20
export const maxRecords = 50_000
