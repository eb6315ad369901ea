import { sha256 } from '../../platform/sha256.ts'
import { restColumns } from './rest.ts'
import { keyText } from './survey.ts'

/** What the files with these headings have in common, whatever the order of their columns; rows that were not imported are of the kind that they came from. */
export function kindOfFile(headings: readonly string[]): Promise<string> {
  const added: string[] = Object.values(restColumns)
  const own = headings.filter((heading) => !added.includes(heading)).map(keyText)
  return sha256(JSON.stringify(own.toSorted()))
}
