/*
 * The audit log stores an action as a sentence for people. Filters recognise stored sentences by their
 * form, so a sentence that was ever stored stays in this table.
 */

/** The areas of actions, in the order in which Activity offers them, with their labels. */
export const auditAreas = {
  'sign-ins': 'Sign-ins',
  imports: 'Imports',
  edits: 'Bulk edits',
  restores: 'Restores',
  merges: 'Merges',
  deletions: 'Deletions',
  downloads: 'Downloads and exports',
  keys: 'Keys',
  people: 'People with access',
  schema: 'Fields',
  retention: 'Retention',
  'public-pages': 'Public pages',
  messages: 'Messages',
  webhooks: 'Webhooks: messages to another program',
  assistants: 'Assistants',
} as const

export type AuditArea = keyof typeof auditAreas

export const isAuditArea = (name: string): name is AuditArea => Object.hasOwn(auditAreas, name)

type Action = { area: AuditArea; sentence: (detail: string) => string }

/**
 * The actions of the audit log. The words stand between the actor and the target: "Ann" "created key" "Power BI". Some
 * name a detail, such as the role of a new user.
 */
const auditActions = {
  'user.signedIn': { area: 'sign-ins', sentence: () => 'signed in' },
  'import.undone': { area: 'imports', sentence: () => 'undid import' },
  'records.edited': { area: 'edits', sentence: (collection: string) => `edited ${collection}` },
  'edit.undone': {
    area: 'edits',
    sentence: (collection: string) => `undid bulk edit of ${collection}`,
  },
  'deletion.undone': { area: 'restores', sentence: () => 'undid deletion of' },
  'record.restored': { area: 'restores', sentence: (record: string) => `restored ${record}` },
  'person.merged': { area: 'merges', sentence: (person: string) => `merged ${person}` },
  'person.erased': { area: 'deletions', sentence: (person: string) => `erased ${person}` },
  'records.expired': { area: 'deletions', sentence: () => 'removed by retention' },
  'records.downloaded': {
    area: 'downloads',
    sentence: (collection: string) => `downloaded ${collection}`,
  },
  'person.exported': { area: 'downloads', sentence: (person: string) => `exported ${person}` },
  'records.exported': { area: 'downloads', sentence: () => 'exported records' },
  'key.created': { area: 'keys', sentence: () => 'created key' },
  'key.changed': { area: 'keys', sentence: (access: string) => `changed key to ${access}` },
  'key.rotated': { area: 'keys', sentence: () => 'rotated key' },
  'key.revoked': { area: 'keys', sentence: () => 'revoked key' },
  'key.reactivated': { area: 'keys', sentence: () => 'reactivated key' },
  'key.deleted': { area: 'keys', sentence: () => 'deleted key' },
  'user.added': { area: 'people', sentence: (role: string) => `added user as ${role}` },
  'user.changed': { area: 'people', sentence: (role: string) => `made user ${role}` },
  'user.signedOut': { area: 'people', sentence: () => 'signed out user' },
  'user.removed': { area: 'people', sentence: () => 'removed user' },
  'field.added': { area: 'schema', sentence: () => 'added field' },
  'field.changed': { area: 'schema', sentence: () => 'changed field' },
  'field.retired': { area: 'schema', sentence: () => 'retired field' },
  'schema.extended': { area: 'schema', sentence: (added: string) => `added ${added} for` },
  'retention.set': { area: 'retention', sentence: () => 'set retention' },
  'retention.removed': { area: 'retention', sentence: () => 'removed retention' },
  'versionDays.set': { area: 'retention', sentence: () => 'set previous versions' },
  'publicPages.changed': { area: 'public-pages', sentence: () => 'changed public pages' },
  'publishing.changed': { area: 'public-pages', sentence: () => 'changed open data' },
  'questions.changed': { area: 'public-pages', sentence: () => 'changed questions of event' },
  'mailing.sent': {
    area: 'messages',
    sentence: (count: string) => `sent ${count} messages about`,
  },
  'webhook.added': { area: 'webhooks', sentence: () => 'added webhook' },
  'webhook.paused': { area: 'webhooks', sentence: () => 'paused webhook' },
  'webhook.resumed': { area: 'webhooks', sentence: () => 'resumed webhook' },
  'webhook.rotated': { area: 'webhooks', sentence: () => 'rotated the secret of webhook' },
  // "Ann had messages resent". Stored entries have these words.
  'webhook.resent': { area: 'webhooks', sentence: () => 'had resent to webhook' },
  'webhook.removed': { area: 'webhooks', sentence: () => 'removed webhook' },
  'assistant.called': { area: 'assistants', sentence: (tool: string) => `assistant: ${tool}` },
} as const satisfies Readonly<Record<string, Action>>

type AuditActions = typeof auditActions

/** An action by its name, with the detail that its sentence names. */
export type AuditAction = {
  [Name in keyof AuditActions]: Parameters<AuditActions[Name]['sentence']> extends []
    ? { action: Name; detail?: undefined }
    : { action: Name; detail: string }
}[keyof AuditActions]

/** The sentence of an action, as the audit log stores it. */
export function describeAction({ action, detail = '' }: AuditAction): string {
  const { sentence }: Action = auditActions[action]
  return sentence(detail)
}

/** Patterns of the sentences of an area, with `*` for a detail. */
export const sentencePatterns = (area: AuditArea): string[] =>
  Object.values<Action>(auditActions)
    .filter((action) => action.area === area)
    .map(({ sentence }) => sentence('*'))
