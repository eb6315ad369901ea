import { expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { sections } from '../../src/dashboard/dashboard.ts'
import { newSignedIn } from './signed-in.ts'

const forReaders = [
  '/events',
  '/reports/quality',
  '/reports/surveys',
  '/reports',
  '/records',
  '/forms',
  '/connect',
  '/settings/schema',
]

const opened: Readonly<Record<Role, readonly string[]>> = {
  steward: ['/events'],
  reader: forReaders,
  'reader-without-contact-details': forReaders,
  editor: [...forReaders, '/views', '/import'],
  admin: sections.map(({ path }) => path),
}

test.each(Object.entries(opened))('a %s opens only their sections', async (role, paths) => {
  const { visit } = await newSignedIn(role as Role)
  const open: string[] = []
  for (const { path } of sections) {
    const { status } = await visit(path)
    if (status !== 403) open.push(path)
  }
  expect(new Set(open)).toEqual(new Set(paths))
})
