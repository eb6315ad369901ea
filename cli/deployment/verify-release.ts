import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../terminal/report.ts'
import { provesProvenance, sigstoreAuthority } from './attestation.ts'
import { repositoryRoot } from './environment.ts'

const run = promisify(execFile)

// The settings of a deployment, such as its domain.
const ownFile = 'wrangler.toml'

const maxListed = 10
const maxBundleBytes = 1_000_000
const timeoutMs = 30_000

type Release = { repository: string; name: string; tag: string }

/**
 * Verifies that a working tree is a release of a GitHub repository: its files are those of the tag of its version,
 * except for wrangler.toml, and the repository's release workflow made the same archive of the tag. Throws
 * CommandError otherwise. Installed packages are not covered: `npm ci` compares them with the lockfile.
 */
export async function verifyRelease(
  repository: string,
  { folder = repositoryRoot, authority = sigstoreAuthority } = {},
): Promise<void> {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const release = { repository, name: `${name}-${version}`, tag: `v${version}` }
  const changed = await listChanges(folder, release.tag)
  const others = changed.filter((path) => path !== ownFile)
  if (others.length > 0)
    throw refusal(`Files differ from ${release.tag}: ${others.slice(0, maxListed).join(', ')}.`)
  const output = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    const archive = join(output, `${release.name}.tar`)
    await git(folder, ...archiveArgs(release, archive))
    await verifyArchive(archive, release, authority)
  } finally {
    rmSync(output, { recursive: true })
  }
  const exception = changed.length > 0 ? `, with your own ${ownFile}` : ''
  console.log(`This is the release ${release.tag} of ${repository}${exception}.\n`)
}

const refusal = (reason: string, cause?: unknown) =>
  new CommandError(`Nothing was deployed. ${reason}`, { cause })

/** Git's arguments for the archive that `.ci/release` attests. Settings of this machine do not change it. */
const archiveArgs = ({ name, tag }: Release, archive: string) => [
  ...['-c', 'core.autocrlf=false', '-c', 'core.eol=lf', '-c', 'tar.umask=0002'],
  ...['archive', '--format=tar', `--prefix=${name}/`, `--output=${archive}`, `refs/tags/${tag}`],
]

async function git(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: folder, maxBuffer: 100_000_000 })
  return stdout
}

/** The paths that differ from a tag, and untracked files that git does not ignore. */
async function listChanges(folder: string, tag: string): Promise<string[]> {
  try {
    const changed = await git(folder, 'diff', '--name-only', '-z', `refs/tags/${tag}`, '--')
    const unknown = await git(folder, 'ls-files', '--others', '--exclude-standard', '-z')
    return `${changed}${unknown}`.split('\0').filter(Boolean)
  } catch (cause) {
    throw refusal(`${folder} must be a git clone with the tag ${tag}: git fetch --tags`, cause)
  }
}

/** Verifies an archive with the GitHub CLI or, where that is not installed, with the provenance of the release. */
async function verifyArchive(archive: string, release: Release, authority: string): Promise<void> {
  const { repository, tag } = release
  const workflow = `https://github.com/${repository}/.github/workflows/release.yml@refs/heads/main`
  if (await hasGitHubCli()) return verifyWithCli(archive, repository, workflow)
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex')
  const bundles = await downloadBundles(release)
  if (!bundles.some((bundle) => provesProvenance(bundle, { sha256, workflow }, authority)))
    throw refusal(`The provenance of ${tag} of ${repository} does not cover the files of this tag.`)
}

const hasGitHubCli = (): Promise<boolean> =>
  run('gh', ['--version']).then(
    () => true,
    () => false,
  )

async function verifyWithCli(archive: string, repository: string, workflow: string): Promise<void> {
  const identity = ['--repo', repository, '--cert-identity', workflow, '--deny-self-hosted-runners']
  try {
    await run('gh', ['attestation', 'verify', archive, ...identity])
  } catch (error) {
    const { stderr } = error as { stderr: string }
    throw refusal(`gh attestation verify failed. ${stderr.trim()}`)
  }
}

/** Downloads the bundles of a release's provenance, one in each line. */
async function downloadBundles({ repository, name, tag }: Release): Promise<unknown[]> {
  const { GITHUB_SERVER_URL: server = 'https://github.com' } = process.env
  const address = `${server}/${repository}/releases/download/${tag}/${name}.intoto.jsonl`
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    (cause) => {
      throw refusal(`${address} did not answer.`, cause)
    },
  )
  if (!response.ok) throw refusal(`${address} answered ${response.status}.`)
  const text = await response.text()
  if (text.length > maxBundleBytes) throw refusal(`${address} is too large.`)
  return text.split('\n').filter(Boolean).map(parseBundle)
}

function parseBundle(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
