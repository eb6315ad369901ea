/** The author of a change: a key, a person, the command line, a retention rule or a public page. `through` names an operation that takes several requests. */
export type Author = (
  | { by: 'key'; id: string }
  | { by: 'person'; name: string }
  | { by: 'command line' | 'retention' | 'public page' }
) & { through?: 'dashboard' | 'import' }

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

function addOperation({ through }: Author, name: string): string {
  if (through === undefined) return name
  return through === 'import' ? `${name}, by an import` : `${name}, on the dashboard`
}
