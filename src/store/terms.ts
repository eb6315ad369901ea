import { type SQL, sql } from 'drizzle-orm/sql'
import { type Credential, grants } from '../access/credential.ts'
import type { Permission } from '../access/permissions.ts'
import type { AuditAction } from '../model/audit-actions.ts'
import { type AuditEntry, auditInsert, nameActor } from './audit-entry.ts'
import { type Column, type Columns, list } from './columns.ts'
import { nameColumns, type Row } from './statement.ts'

/*
 * A write is one transaction. Its first statement reads the credential's access, tests what prevents the
 * write and computes what the write returns; if anything prevents it, it fails, and the database takes back
 * the whole transaction. So the other statements need no condition, no statement can run without
 * the check, and an obstacle may come true by the write itself.
 *
 * A failed transaction says nothing but that it was refused: the reasons are read again, as values, so
 * that no value is ever in the text of an error. If nothing prevents it any more, it runs again.
 */

/** What prevents a write: a condition, or a query that returns a row for each reason. */
export type Obstacle<Reason = unknown> = SQL | { reasons: SQL; column: Column<Reason> }
export type Obstacles = Record<string, Obstacle | undefined>

/** The obstacles that held, with true or the reasons. */
export type Refusal<U extends Obstacles> = {
  [Name in keyof U]?: NonNullable<U[Name]> extends { column: Column<infer Reason> } ? Reason : true
}

/** An entry in the audit log. Its actor is the credential's author. */
export type Audit = AuditAction & Pick<AuditEntry, 'target' | 'record'>

export type Terms<U extends Obstacles, R extends Columns> = {
  permissions: readonly Permission[]
  /** The collection that must not be hidden from the credential. */
  collection?: string | undefined
  /** Anything of this that holds prevents the whole write. It may use what the write returns. */
  unless?: U | ((returned: { [Name in keyof R]: SQL }) => U)
  /** What to compute before the write. */
  returns?: R
  /** The entry in the audit log. */
  audit?: Audit | undefined
  /** Whether no webhook follows the write, because it changes no records. */
  isInternal?: boolean
}

/** What a write of administration needs. No webhook follows it. */
export const administration = { permissions: ['write'], isInternal: true } as const

/** The rows of a query, which selects reasons as `item`, prevent a write. */
export const reasons = <Reason>(query: SQL, options?: { isJson?: boolean }) => ({
  reasons: query,
  column: list<Reason>(query, options),
})

const marker = 'write_refused'

/** Whether a transaction was refused by its first statement. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(`'${marker}'`)

/**
 * The first statement of a write. It fails if the credential lacks a permission, or an obstacle
 * holds. A condition that is NULL holds: an unknown value prevents a write.
 */
export const checkStatement = (
  credential: Credential,
  permissions: readonly Permission[],
  head: Record<string, SQL>,
  obstacles: Obstacles,
): SQL => {
  const conditions = [
    sql`NOT ${grants(credential, permissions, sql.raw('found'))}`,
    ...listObstacles(obstacles).map(([, obstacle]) => conditionOf(obstacle)),
  ]
  const branches = conditions.map((it) => sql`WHEN ${it} IS NOT 0 THEN ${sql.raw(`'${marker}'`)}`)
  const fail = sql`json_extract('{}', CASE ${sql.join(branches, sql` `)} END) AS refused`
  return statementOf(credential, head, [fail])
}

/** The statement that reads the reasons for which `checkStatement` failed. */
export const reasonsStatement = (
  credential: Credential,
  head: Record<string, SQL>,
  obstacles: Obstacles,
): SQL =>
  statementOf(
    credential,
    head,
    listObstacles(obstacles).map(([name, obstacle]) => {
      const held =
        'reasons' in obstacle ? obstacle.column.expression : sql`${conditionOf(obstacle)} IS NOT 0`
      return sql`${held} AS ${sql.identifier(`unless_${name}`)}`
    }),
  )

// A value found once can be used several times: a statement has at most 100 parameters.
const statementOf = (
  { access }: Credential,
  head: Record<string, SQL>,
  columns: readonly SQL[],
) => {
  return sql`WITH found AS MATERIALIZED (
      SELECT ${nameColumns(head)} FROM (VALUES (1)) LEFT JOIN (${access}) AS source
    )
    SELECT ${sql.join([sql`found.*`, ...columns], sql`, `)} FROM found`
}

/** The obstacles of a write. */
export function obstaclesOf<U extends Obstacles, R extends Columns>({
  unless = {} as U,
  returns = {} as R,
}: Pick<Terms<U, R>, 'unless' | 'returns'>): U {
  if (typeof unless !== 'function') return unless
  const named = Object.keys(returns).map((name) => [name, sql`found.${sql.identifier(name)}`])
  return unless(Object.fromEntries(named))
}

/** The obstacles that hold; undefined if none does. */
export function parseRefusal<U extends Obstacles>(obstacles: U, head: Row): Refusal<U> | undefined {
  const held = listObstacles(obstacles).flatMap(([name, obstacle]): [string, unknown][] => {
    const value = head[`unless_${name}`] ?? null
    if (!('reasons' in obstacle)) return value === 1 ? [[name, true]] : []
    const found = obstacle.column.decode(value) as unknown[]
    return found.length > 0 ? [[name, found]] : []
  })
  return held.length > 0 ? (Object.fromEntries(held) as Refusal<U>) : undefined
}

const listObstacles = (obstacles: Obstacles): [string, Obstacle][] =>
  Object.entries(obstacles).flatMap(([name, obstacle]) => (obstacle ? [[name, obstacle]] : []))

const conditionOf = (obstacle: Obstacle): SQL =>
  'reasons' in obstacle ? sql`EXISTS (${obstacle.reasons})` : sql`(${obstacle})`

/** The statement that adds an entry to the audit log, for the batch of the action itself. */
export const auditStatement = ({ organisationId, author }: Credential, audit: Audit): SQL =>
  auditInsert({ organisationId, actor: nameActor(author), ...audit })
