type ListedEntry = { at: string; actor: string; action: string; target: string }

/** The entries of an organisation's audit log without those of assistants, newest first. */
export const listAudit = (DB: D1Database, organisationId: string) => list(DB, organisationId, '<>')

/** The calls of an organisation's assistants, newest first. */
export const listAssistantCalls = (DB: D1Database, organisationId: string) =>
  list(DB, organisationId, '=')

async function list(
  DB: D1Database,
  organisationId: string,
  operator: '=' | '<>',
): Promise<ListedEntry[]> {
  const { results } = await DB.prepare(
    `SELECT at, actor, action, target FROM audit_log
    WHERE organisation_id = ? AND substr(action, 1, 11) ${operator} 'assistant: ' ORDER BY id DESC`,
  )
    .bind(organisationId)
    .all<ListedEntry>()
  return results
}
