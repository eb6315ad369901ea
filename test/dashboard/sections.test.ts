import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { sections } from '../../src/dashboard/dashboard.ts'
import { newSite } from '../public/site.ts'
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

test('the dashboard and the public pages of a trial say where its data may be, and others do not', async () => {
  const trial = { ...env, TRIAL: 'true' }
  const banner = 'This is a trial'
  const site = await newSite()
  const inTrial = await newSignedIn('admin', site, trial)
  for (const path of ['/records/members', '/connect', '/import', '/settings/keys', '/nowhere'])
    expect(await inTrial.html(path)).toContain(`${banner}, to look around`)
  expect(await (await site.visit('', {}, trial)).text()).toContain(banner)
  const { html } = await newSignedIn('admin', site)
  for (const page of [await html('/connect'), await site.html('')])
    expect(page).not.toContain(banner)
})
