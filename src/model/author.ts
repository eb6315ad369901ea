/** The author of a change: a key by id, a person by name, the command line or a retention rule, and the operation if it was not a single request. */
export type Author = (
  | { by: 'key'; id: string }
  | { by: 'person'; name: string }
  | { by: 'command line' | 'retention' }
) & { through?: 'dashboard' | 'import' }

/** Describes an author; `key` is the name of the key if it still exists. */
export function describeAuthor(author: Author | null, key: string | null): string {
  if (author === null) return 'not known'
  return through(author, who(author, key))
}

function who(author: Author, key: string | null): string {
  if (author.by === 'person') return author.name
  if (author.by === 'key') return key === null ? `a deleted key, ${author.id}` : `key ${key}`
  return author.by === 'retention' ? 'a rule of retention' : 'the command line'
}

function through({ through }: Author, who: string): string {
  if (through === undefined) return who
  return through === 'import' ? `${who}, by an import` : `${who}, on the dashboard`
}
