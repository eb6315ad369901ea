/*
 * Limits of a file that is sent over HTTPS: it must fit into a Worker's memory, and be written with the
 * 1,000 statements that D1 takes from one request.
 */

export const maxFileBytes = 50 << 20
export const maxRecords = 50_000
