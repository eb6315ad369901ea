import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

// Scorecard itself needs GitHub's API. These are its rules for files, so that SECURITY.md stays true.

type Step = { run?: string; uses?: string; with?: Record<string, unknown> }
type Workflow = {
  on: Record<string, unknown>
  permissions?: Record<string, string>
  jobs: Record<string, { steps?: Step[] }>
}

const read = (path: string) => readFileSync(path, 'utf8')
const workflowFiles = globSync('.github/workflows/*.yml')
const workflows: Workflow[] = workflowFiles.map((path) => parse(read(path)))
const steps = workflows.flatMap(({ jobs }) =>
  Object.values(jobs).flatMap(({ steps = [] }) => steps),
)
const usesAction = (name: string) => steps.some(({ uses = '' }) => uses.startsWith(`${name}@`))
const scripts = [...steps.map(({ run = '' }) => run), ...globSync('.ci/*').map(read)]
const manifests = [
  'package.json',
  ...globSync('examples/**/package.json', { exclude: ['**/node_modules'] }),
]
const { private: isPrivate } = JSON.parse(read('package.json'))
const policy = read('SECURITY.md')

/** Whether a file is text: UTF-16 with its byte order mark, or bytes without NUL. */
function isText(path: string): boolean {
  const start = readFileSync(path).subarray(0, 1024)
  return start.readUInt16LE() === 0xfeff || !start.includes(0)
}

const hasTrackedBinaries = () =>
  execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => !path.endsWith('.png') && existsSync(path))
    .some((path) => !isText(path))

const hasExactVersions = (path: string) => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(read(path))
  return Object.values<string>({ ...dependencies, ...devDependencies }).every((version) =>
    /^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  )
}

const isMet: Record<string, () => boolean> = {
  'Binary-Artifacts': () => !hasTrackedBinaries(),
  'Dangerous-Workflow': () =>
    workflows.every(({ on }) => !('pull_request_target' in on) && !('workflow_run' in on)) &&
    steps.every(({ run = '' }) => !run.includes('${{')),
  'Dependency-Update-Tool': () => parse(read('.github/dependabot.yml')).updates.length > 0,
  Fuzzing: () => globSync('test/fuzz/**/*.ts').some((path) => read(path).includes("'fast-check'")),
  License: () => read('LICENSE').startsWith('MIT License'),
  Packaging: () => !isPrivate || scripts.some((script) => script.includes('npm publish')),
  'Pinned-Dependencies': () =>
    manifests.every(hasExactVersions) &&
    existsSync('package-lock.json') &&
    scripts.every(
      (script) => !/npm (i|install)\b|npx (-y|--yes)|pip install|\| *(ba)?sh\b/.test(script),
    ),
  SAST: () => usesAction('github/codeql-action/init') && usesAction('github/codeql-action/analyze'),
  SBOM: () => read('.ci/release').includes('npm sbom'),
  'Security-Policy': () =>
    /https:\/\//.test(policy) && /vulnerab/i.test(policy) && /\b\d{1,4} days\b/.test(policy),
  'Signed-Releases': () =>
    usesAction('actions/attest-build-provenance') && read('.ci/release').includes('.intoto.jsonl'),
  'Token-Permissions': () =>
    workflows.every(({ permissions }) => JSON.stringify(permissions) === '{"contents":"read"}'),
  Vulnerabilities: () => scripts.some((script) => script.includes('npm audit')),
}

const [, section = ''] = policy.split('OpenSSF Scorecard')
const rows = [...section.matchAll(/^\| ([A-Z][\w-]+) \| (Met|Not met)\b.* \| (.*) \|$/gm)]

test('SECURITY.md lists every check of Scorecard that concerns files', () => {
  expect(rows.map(([, check]) => check)).toEqual(Object.keys(isMet))
})

test.each(rows.map(([, check = '', state = '', sources = '']) => [check, state, sources]))(
  'the state of %s is true: %s',
  (check, state, sources) => {
    expect(isMet[check]?.() ? 'Met' : 'Not met').toBe(state)
    const files = [...sources.matchAll(/`(.*?)`/g)].map(([, file = '']) => file)
    expect(files).not.toHaveLength(0)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  },
)
