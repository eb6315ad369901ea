import { appendFileSync } from 'node:fs'
import { CommandError } from '../terminal/report.ts'
import { bookmarkStep } from './steps.ts'
import { readJson } from './wrangler.ts'

/** A database with its Time Travel bookmark: the state to which it can be restored for 30 days. */
type Bookmark = { database: string; bookmark: string }

/** The bookmarks of databases. Throws CommandError if one cannot be read, so that no migration runs without it. */
export async function readBookmarks(databases: readonly string[]): Promise<Bookmark[]> {
  const bookmarks: Bookmark[] = []
  for (const database of databases) {
    const { bookmark } = await readJson<{ bookmark?: unknown }>(bookmarkStep(database).args).catch(
      (cause) => {
        if (!(cause instanceof CommandError)) throw cause
        throw new CommandError(`${cause.message}\n${refusal(database)}`, { cause })
      },
    )
    if (typeof bookmark !== 'string' || !/^[\w-]+$/.test(bookmark))
      throw new CommandError(refusal(database))
    bookmarks.push({ database, bookmark })
  }
  return bookmarks
}

const refusal = (database: string) =>
  `Nothing was migrated, because ${database} has no Time Travel bookmark to restore it from.`

const restoreCommand = ({ database, bookmark }: Bookmark) =>
  `npx wrangler d1 time-travel restore ${database} --bookmark ${bookmark}`

/** Prints the commands that restore the databases, and adds them to the summary of a GitHub run. */
export function reportBookmarks(bookmarks: readonly Bookmark[]): void {
  const commands = bookmarks.map(restoreCommand)
  if (commands.length === 0) return
  console.log(
    `To undo this migration of a database, and every later change in it:\n${commands.map((command) => `  ${command}\n`).join('')}`,
  )
  const { GITHUB_STEP_SUMMARY: summary } = process.env
  if (!summary) return
  appendFileSync(
    summary,
    `### Before the migration\n\nThese commands undo the migration of a database, and every later change in it. They work for 30 days.\n\n\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`,
  )
}
