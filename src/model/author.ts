/** Who made a change of a record: a key by its id, a person by what they are called, the operator's command line, or a rule of retention; and through what, unless it was a request of its own. */
export type Author = (
  | { by: 'key'; id: string }
  | { by: 'person'; name: string }
  | { by: 'command line' | 'retention' }
) & { through?: 'dashboard' | 'import' }

/** An author as people read it; `key` is what their key is called, if there still is one. */
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
