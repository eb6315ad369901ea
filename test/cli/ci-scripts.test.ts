import { execFile, spawnSync } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const hasPrograms = ['jq', 'git'].every((name) => spawnSync(name, ['--version']).status === 0)

/** A repository with the scripts of `.ci` and a folder as its origin. */
async function newRepository(files: Record<string, string>) {
  const [folder, origin] = [await temporaryFolder(), await temporaryFolder()]
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).stdout.trim()
  const commit = async (changed: Record<string, string>) => {
    for (const [name, text] of Object.entries(changed)) await writeFile(join(folder, name), text)
    git('add', '-A')
    git('commit', '-qm', 'A change')
    return git('rev-parse', 'HEAD')
  }
  git('init', '-q', '--bare', origin)
  git('init', '-q', '-b', 'main')
  git('remote', 'add', 'origin', origin)
  await mkdir(join(folder, '.ci'))
  for (const script of ['release', 'audit'])
    await copyFile(`.ci/${script}`, join(folder, '.ci', script))
  await commit(files)
  return { folder, git, commit }
}

type Repository = Awaited<ReturnType<typeof newRepository>>

/** Runs a script of `.ci` in a repository, and returns its exit code, output and summary. */
async function runScript(
  { folder }: Repository,
  command: string[],
  env: Record<string, string>,
  programs = '',
) {
  const summary = join(await temporaryFolder(), 'summary')
  await writeFile(summary, '')
  const { NODE_OPTIONS, ...inherited } = process.env
  const run = await promisify(execFile)('bash', command, {
    cwd: folder,
    env: {
      ...inherited,
      PATH: `${programs}:${process.env.PATH}`,
      GITHUB_STEP_SUMMARY: summary,
      ...env,
    },
  }).catch((error: { code: number; stdout: string; stderr: string }) => error)
  const code = 'code' in run ? run.code : 0
  return { code, stdout: run.stdout, summary: await readFile(summary, 'utf8') }
}

describe.skipIf(!hasPrograms)('a push to main', () => {
  const changelog = '# Changelog\n\n## 1.1.0\n\n- New.\n\n## 1.0.0\n\n- First.\n'

  /** The files of a version with one package for everyone and one for development. */
  const releaseFiles = (version: string, changelog: string) => ({
    'package.json': JSON.stringify({
      name: 'a',
      version,
      dependencies: { used: '1.0.0' },
      devDependencies: { tested: '1.0.0' },
    }),
    'package-lock.json': JSON.stringify({
      name: 'a',
      version,
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': {
          name: 'a',
          version,
          dependencies: { used: '1.0.0' },
          devDependencies: { tested: '1.0.0' },
        },
        'node_modules/used': { version: '1.0.0' },
        'node_modules/tested': { version: '1.0.0', dev: true },
      },
    }),
    'CHANGELOG.md': changelog,
  })

  /** Releases a commit with a `gh` that has no release, and returns its calls. */
  async function release(
    repository: Repository,
    { commit = repository.git('rev-parse', 'HEAD'), PROVENANCE = '' } = {},
  ) {
    const programs = await temporaryFolder()
    const calls = join(programs, 'calls')
    const outputs = join(programs, 'outputs')
    for (const file of [calls, outputs]) await writeFile(file, '')
    const script = `#!/bin/sh\n[ "$2" = view ] && exit 1\nprintf '%s|' "$@" >> ${calls}\necho >> ${calls}\n`
    await writeFile(join(programs, 'gh'), script, { mode: 0o755 })
    const env = { GITHUB_SHA: commit, GITHUB_OUTPUT: outputs, PROVENANCE }
    const prepared = await runScript(repository, ['.ci/release', 'prepare'], env, programs)
    if ((await readFile(outputs, 'utf8')) === '') return { ...prepared, calls: '' }
    expect([prepared.code, prepared.summary]).toEqual([0, ''])
    const { code, summary } = await runScript(repository, ['.ci/release', 'publish'], env, programs)
    return { code, summary, calls: await readFile(calls, 'utf8') }
  }

  test('releases a new version once, with its notes and files, and deploys it', async () => {
    const repository = await newRepository(releaseFiles('1.1.0', changelog))
    const commit = repository.git('rev-parse', 'HEAD')
    expect(await release(repository)).toEqual({
      code: 0,
      summary: 'v1.1.0 is released, and its deployment to production has started.\n',
      calls:
        'release|create|v1.1.0|release/a-1.1.0.cdx.json|release/a-1.1.0.tar|--verify-tag|--title|1.1.0|--notes|\n- New.|\n' +
        'workflow|run|deploy.yml|--ref|v1.1.0|--field|environment=production|\n',
    })
    expect(repository.git('ls-remote', 'origin', 'refs/tags/v1.1.0')).toContain(commit)
    await rm(join(repository.folder, 'release'), { recursive: true })

    await repository.commit({ 'README.md': 'More' })
    expect(await release(repository)).toMatchObject({
      code: 0,
      calls: '',
      summary: 'Nothing is released, because the tag v1.1.0 exists.\n',
    })
    // A run that failed after the tag was pushed is repeated on the same commit.
    expect((await release(repository, { commit })).calls).toContain('release|create|v1.1.0')
  })

  test('makes a pre-release of 1.1.0-beta.1 with its provenance, which is not deployed', async () => {
    const repository = await newRepository(
      releaseFiles('1.1.0-beta.1', '## 1.1.0-beta.1 (2026-11-22)\n\n- Try it.\n'),
    )
    const PROVENANCE = join(await temporaryFolder(), 'attestation.json')
    await writeFile(PROVENANCE, '{}')
    expect(await release(repository, { PROVENANCE })).toEqual({
      code: 0,
      summary: 'The pre-release v1.1.0-beta.1 is not deployed to production.\n',
      calls:
        'release|create|v1.1.0-beta.1|release/a-1.1.0-beta.1.cdx.json|release/a-1.1.0-beta.1.intoto.jsonl|' +
        'release/a-1.1.0-beta.1.tar|--verify-tag|--title|1.1.0-beta.1|--notes|\n- Try it.|--prerelease|\n',
    })
  })

  test('lists every package of the release, and marks those for development', async () => {
    const repository = await newRepository(releaseFiles('1.1.0', changelog))
    await release(repository)
    const bill = JSON.parse(
      await readFile(join(repository.folder, 'release/a-1.1.0.cdx.json'), 'utf8'),
    )
    expect([bill.bomFormat, bill.metadata.component['bom-ref']]).toEqual(['CycloneDX', 'a@1.1.0'])
    const packages = bill.components.map(
      ({ purl, properties = [] }: { purl: string; properties?: { name: string }[] }) => [
        purl,
        properties.some(({ name }) => name === 'cdx:npm:package:development'),
      ],
    )
    expect(packages).toEqual([
      ['pkg:npm/tested@1.0.0', true],
      ['pkg:npm/used@1.0.0', false],
    ])
  })

  test('releases no version that the changelog does not describe', async () => {
    const repository = await newRepository(releaseFiles('1.1', `${changelog}## 1.1\n\n`))
    expect(await release(repository)).toMatchObject({
      code: 0,
      calls: '',
      summary: 'Nothing is released, because CHANGELOG.md has no section "## 1.1".\n',
    })
    expect(repository.git('ls-remote', 'origin')).toBe('')
  })
})

describe.skipIf(!hasPrograms)('the audit', () => {
  const lock = (packages: Record<string, { dev?: boolean }>) => {
    const sections = { dependencies: {}, devDependencies: {} }
    const entries = Object.entries(packages).map(([name, { dev }]) => {
      Object.assign(dev ? sections.devDependencies : sections.dependencies, { [name]: '1.0.0' })
      return [`node_modules/${name}`, { version: '1.0.0', ...(dev && { dev }) }]
    })
    return {
      'package.json': JSON.stringify({ name: 'a', version: '1.0.0', ...sections }),
      'package-lock.json': JSON.stringify({
        name: 'a',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: {
          '': { name: 'a', version: '1.0.0', ...sections },
          ...Object.fromEntries(entries),
        },
      }),
    }
  }

  /** Serves a registry in which each package has an advisory of the severity that its name begins with. */
  async function serveRegistry(status = 200): Promise<string> {
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request))
      const name = request.url?.slice(1) ?? ''
      const answer = request.url?.endsWith('/advisories/bulk')
        ? Object.fromEntries(
            Object.keys(JSON.parse(gunzipSync(body).toString())).map((found) => [
              found,
              [
                {
                  id: 1,
                  title: `A fault of ${found}`,
                  severity: found.split('-')[0],
                  url: `https://example.org/${found}`,
                  vulnerable_versions: '<2.0.0',
                },
              ],
            ]),
          )
        : {
            name,
            'dist-tags': { latest: '1.0.0' },
            versions: { '1.0.0': { name, version: '1.0.0' } },
          }
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(answer))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  }

  const audit = async (repository: Repository, base: string[] = [], status = 200) =>
    runScript(repository, ['.ci/audit', ...base], {
      npm_config_registry: await serveRegistry(status),
      npm_config_cache: await temporaryFolder(),
      npm_config_fetch_retries: '0',
    })

  const line = (name: string) =>
    `${name} <2.0.0: A fault of ${name} (${name.split('-')[0]}, https://example.org/${name})`

  test('fails for high and critical advisories of packages that run, and names them', async () => {
    const repository = await newRepository(
      lock({ 'high-a': {}, 'critical-b': {}, 'moderate-c': {}, 'critical-d': { dev: true } }),
    )
    const { code, stdout, summary } = await audit(repository)
    expect(code).toBe(1)
    expect(summary.split('\n').slice(1)).toEqual([
      `- ${line('critical-b')}`,
      `- ${line('high-a')}`,
      '',
    ])
    expect(stdout).toContain(`::error::${line('high-a')}\n`)
  })

  test('passes without them', async () => {
    const repository = await newRepository(lock({ 'moderate-c': {}, 'critical-d': { dev: true } }))
    expect(await audit(repository)).toMatchObject({
      code: 0,
      summary: 'No advisories of high or critical severity.\n',
    })
  })

  test('blames a change for its own advisories only', async () => {
    const repository = await newRepository(lock({ 'high-a': {} }))
    await repository.commit(lock({ 'high-a': {}, 'low-b': {} }))
    expect(await audit(repository, ['HEAD^1'])).toMatchObject({
      code: 0,
      summary: 'No advisories of high or critical severity are new.\n',
    })
    await repository.commit(lock({ 'high-a': {}, 'high-c': {} }))
    const { code, summary } = await audit(repository, ['HEAD^1'])
    expect([code, summary.split('\n').slice(1)]).toEqual([1, [`- ${line('high-c')}`, '']])
  })

  test('says so if the registry does not answer', async () => {
    const repository = await newRepository(lock({ 'high-a': {} }))
    const { code, stdout, summary } = await audit(repository, [], 503)
    expect([code, summary]).toEqual([
      0,
      'The packages are not audited, because the registry did not answer.\n',
    ])
    expect(stdout).toContain('::warning::')
  })
})
