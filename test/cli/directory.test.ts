import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The files that mean the directory: the organisations of all databases, memberships and sessions. */
const directory = [
  'src/admin/move/move-organisation.ts',
  'src/admin/open-organisation.ts',
  'src/admin/organisations.ts',
  'src/admin/remove-organisation.ts',
  'src/auth/person-credential.ts',
  'src/auth/token-credential.ts',
  'src/dashboard/session/signed-in.ts',
  'src/dashboard/set-up/routes.tsx',
  'src/store/forward-audit.ts',
]

/** The files with callers that name the database of an organisation or of a task as `DB`. */
const chosenByCaller = [
  'src/admin/erase-person.ts',
  'src/records/retention.ts',
  'src/schedule.ts',
  'src/sign-up/mailings/reminders.ts',
  'src/sign-up/mailings/send-due.ts',
  'src/sign-up/schedule.ts',
  'src/sign-up/sign-up-by-mail.ts',
]

// Everything else opens an organisation's store, or lists the databases: an organisation may be in any of them.
test('the other files do not use DB', () => {
  const files = globSync('src/**/*.{ts,tsx}').filter((file) =>
    /\benv\.DB\b|\{ DB \}/.test(readFileSync(file, 'utf8')),
  )
  expect(files.toSorted()).toEqual([...directory, ...chosenByCaller].toSorted())
})
