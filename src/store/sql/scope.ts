/** A collection of an organisation. */
export type Scope = { organisationId: string; collection: string }
