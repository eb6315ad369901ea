import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { withBindings } from '../../cli/state/bindings.ts'
import { createOrganisation } from '../../src/admin/organisations.ts'
import { type Collection, collectionNames } from '../../src/model/collection.ts'
import { isKind, kindNames, kinds } from '../../src/model/properties/schema.ts'
import { loadCollections } from '../../src/resources/collections.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { fields, personOf } from '../examples/people.ts'
import { createKey } from '../keys.ts'
import { migratedState } from './migrated-state.ts'

/** Runs Node, and returns the JSON in the last line of its output. */
async function runNode(...options: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, options)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

/** Libraries that no read needs. */
const unneededLibraries =
  /^(zod|@hono\/zod-validator|jose|oauth4webapi|drizzle-orm\/(index|d1|sqlite-core))\b/

/** Prints the modules that the first request for events evaluates. */
const script = `
  const { takeModules } = await import('./test/cli/noted-modules.ts')
  const { app } = await import('./src/app.ts')
  const { status } = await app.request('/api/v1/events', {}, { RATE_LIMIT_POLICY: '' })
  console.log(JSON.stringify({ status, modules: takeModules() }))
`

test('the first request for a resource loads only that resource, and nothing to write it', async () => {
  const { status, modules } = await runNode('--input-type=module', '--eval', script)
  expect(status).toBe(401)
  const routes = modules.filter((module: string) =>
    /^(resources(?!\/routes)|import|dashboard)\//.test(module),
  )
  expect(routes).toEqual(['resources/events.ts'])
  // A plain list needs no code for query options, bodies, writing or tokens, and only the SQL texts of Drizzle.
  const unneeded =
    /^(records|sign-up|webhooks|store\/(write|query)|resources\/routes\/(write-record|delete|merge|create))\b/
  expect(
    modules.filter((module: string) => unneeded.test(module) || unneededLibraries.test(module)),
  ).toEqual([])
})

/** Prints the modules of the dashboard that the first request for each section evaluates. */
const sectionsScript = `
  const { takeModules } = await import('./test/cli/noted-modules.ts')
  const { app } = await import('./src/app.ts')
  const { sections } = await import('./src/dashboard/dashboard.ts')
  const modules = {}
  for (const { path } of process.argv[1] === 'in reverse' ? sections.toReversed() : sections) {
    const { status } = await app.request('/dashboard/one' + path, {}, { RATE_LIMIT_POLICY: '' })
    if (status !== 303) throw new Error(path + ' returned status ' + status)
    modules[path] = takeModules().filter((module) => module.startsWith('dashboard/'))
  }
  console.log(JSON.stringify(modules))
`

/** The folders and files of sections that have another name than the section's path. */
const folders: Readonly<Record<string, string>> = {
  '/reports/quality': '/quality',
  '/reports/surveys': '/surveys',
  '/settings/api-keys': '/settings/keys',
}

/** The modules of sections that pages of others need. */
const sharedModules = [
  'dashboard/records/form/property-question.tsx',
  'dashboard/records/form/question-fields.ts',
  'dashboard/records/form/question.ts',
  'dashboard/records/list/linked-titles.ts',
  'dashboard/records/record/titles.ts',
  'dashboard/reports/registers.ts',
  'dashboard/settings/settings-pages.ts',
  'dashboard/views/view-paths.ts',
]

// A module is evaluated only once, so both orders are needed: a section must come before the modules of another that it would load.
test.each(['forwards', 'in reverse'])(
  'the first request for a section of the dashboard loads no other section: all %s',
  async (order) => {
    const options = ['--input-type=module', '--eval', sectionsScript, order]
    const modules: Record<string, string[]> = await runNode(...options)
    const isOfSection = (module: string) =>
      /^dashboard\/(?!(collections?|filters|session|ui)\/)[\w-]+\//.test(module) &&
      !sharedModules.includes(module)
    const foreign = Object.entries(modules).map(([path, loaded]) => {
      const own = `dashboard${folders[path] ?? path}`
      return [path, loaded.filter((module) => isOfSection(module) && !module.startsWith(own))]
    })
    const none = Object.keys(modules).map((path) => [path, []])
    expect(foreign).toEqual(none)
  },
)

/** Prints the modules that lists and reports of the dashboard evaluate. */
const listsScript = `
  const { takeModules } = await import('./test/cli/noted-modules.ts')
  await import('./src/dashboard/dashboard.ts')
  await import('./src/dashboard/records/list-page.tsx')
  await import('./src/dashboard/reports/routes.tsx')
  await import('./src/dashboard/reports/reports-page.tsx')
  console.log(JSON.stringify(takeModules()))
`

test('lists and reports of the dashboard load no Zod, no files, and only the SQL texts of Drizzle', async () => {
  const modules: string[] = await runNode('--input-type=module', '--eval', listsScript)
  expect(modules).toContain('dashboard/records/list/table.tsx')
  expect(modules).toContain('dashboard/reports/report-chart.tsx')
  expect(modules).not.toContain('formats/xlsx.ts')
  expect(modules.filter((module) => unneededLibraries.test(module))).toEqual([])
})

test('lists, singles, schemas and changes load no Zod and no ipaddr.js with any query', async () => {
  const state = await migratedState()
  const collections = await loadCollections()
  const examples = await Promise.all(collectionNames.map((name) => readExample(name, collections)))
  const keys = await withBindings({ persistTo: state }, async (env) => {
    await createOrganisation(env.DB, 'org-1', 'One')
    const insertion = env.DB.prepare(
      "INSERT INTO schemas (organisation_id, kind, name, fields) VALUES ('org-1', ?, 'People', ?)",
    )
    await env.DB.batch(kindNames.map((kind) => insertion.bind(kind, JSON.stringify(fields))))
    for (const { name, id, document } of examples)
      await putRecords(env.DB, 'org-1', name, [{ id, document: JSON.stringify(document) }])
    const full = await createKey(env, 'org-1', 'full', 'a test')
    const restricted = await createKey(env, 'org-1', 'restricted', 'a test', undefined, ['read'], {
      hideFields: ['email', 'phone'],
    })
    return [full.key, restricted.key]
  })
  const paths = examples.flatMap(({ name, id, idName }) => [
    `${name}/${id}`,
    `${name}?${idName}=${id}`,
    `${name}?$filter=${idName} eq '${id}'&$orderby=${idName}&$select=${idName}&$include=times`,
    `${name}?$format=csv`,
  ])
  const others = ['schemas/org-1', 'me', 'changes', 'changes?$include=records']
  const requests = JSON.stringify({ state, keys, paths: [...paths, ...others] })
  expect(await runNode('test/cli/lazy-requests.ts', requests)).toEqual({
    failed: [],
    unneeded: [],
  })
})

async function readExample(name: string, collections: readonly Collection[]) {
  if (isKind(name)) return { name, idName: kinds[name].id, ...personOf(kinds[name].id, 'person-1') }
  const idName = collections.find((collection) => collection.name === name)?.id ?? ''
  const document = JSON.parse(await readFile(`test/examples/${name}.json`, 'utf8'))
  return { name, idName, id: String(document[idName]), document }
}
