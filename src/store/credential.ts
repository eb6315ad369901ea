import { type SQL, sql } from 'drizzle-orm'
import { ApiError, badCredentials } from '../model/api-error.ts'
import type { Right } from '../model/rights.ts'

/** Who asks, for which organisation, and what they may do there for as long as the database says so. */
export type Credential = {
  organisationId: string
  /** Who asks: the key, or the user. */
  who: string
  /** SQL for the rights, such as 'read,write'; NULL when the credential is not, or no longer, good. */
  rights: SQL
  /** What may make it good the first time; tells whether to look again. */
  claim?: () => Promise<boolean>
  /** What to note, after the answer, of a credential that was found good. */
  noteUse?: () => Promise<void>
}

/** SQL that holds as long as a credential has these rights. */
export const hasRights = ({ rights }: Credential, needed: readonly Right[]): SQL =>
  sql.join(
    needed.map((right) => sql`instr(',' || ${rights} || ',', ${`,${right},`})`),
    sql` AND `,
  )

/** Throws 401 where the database told no rights, and 403 where they lack one that is needed. */
export function demand(rights: unknown, needed: readonly Right[]): void {
  if (typeof rights !== 'string') throw badCredentials()
  const had = rights.split(',')
  const missing = needed.find((right) => !had.includes(right))
  if (missing) {
    throw new ApiError(
      'FORBIDDEN',
      `These credentials lack the right ${missing}: an administrator of the organisation can make a key that has it, on the dashboard, and so can the operator, with --may on the command line.`,
    )
  }
}
