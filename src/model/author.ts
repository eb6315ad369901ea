/**
 * The operation behind a change: `through` names one that takes several requests, or the way by which a register makes
 * a member; `import` is an import or a bulk edit (store/imports/list-imports.ts).
 */
export type ChangeSource = {
  through?: 'dashboard' | 'import' | 'edit' | 'undo' | 'walk-in' | 'sign-up'
  import?: number
}

/** The author of a change: a key, a person, the command line, a retention rule or a public page, with its source. */
export type Author = (
  | { by: 'key'; id: string }
  | { by: 'person'; name: string }
  | { by: 'command line' | 'retention' | 'public page' }
) &
  ChangeSource

/** Describes an author; `key` is the name of the key if it still exists. */
export function describeAuthor(author: Author | null, key: string | null): string {
  if (author === null) return 'not known'
  return addOperation(author, nameAuthor(author, key))
}

function nameAuthor(author: Author, key: string | null): string {
  if (author.by === 'person') return author.name
  if (author.by === 'key') return key === null ? `a deleted key, ${author.id}` : `key ${key}`
  return serviceAuthors[author.by]
}

const serviceAuthors = {
  'command line': 'the command line',
  retention: 'a retention rule',
  'public page': 'a public page',
} as const

function addOperation({ through, import: importId }: Author, name: string): string {
  if (through === 'undo') return `${name}, undoing an import or a bulk edit`
  if (through === 'edit') return `${name}, in a bulk edit`
  if (through === 'walk-in') return `${name}, at the door`
  if (through === 'sign-up') return `${name}, from a sign-up`
  if (through === 'import' || importId !== undefined) return `${name}, by an import`
  return through === undefined ? name : `${name}, on the dashboard`
}
