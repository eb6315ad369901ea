import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sigstoreAuthority } from '../../../cli/deployment/attestation.ts'
import { verifyRelease } from '../../../cli/deployment/verify-release.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const findProgram = (name: string) =>
  spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()

const hasPrograms = ['jq', 'git', 'openssl'].every(findProgram)
const repository = 'oak/platform'
const workflow = `https://github.com/${repository}/.github/workflows/release.yml@refs/heads/main`
const provenance = 'https://slsa.dev/provenance/v1'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const gitIn =
  (cwd: string) =>
  (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd,
      encoding: 'utf8',
    }).trim()

/** A repository with a tag, and the digest of the archive that `.ci/release` attests. */
async function newRelease() {
  const folder = await temporaryFolder()
  const git = gitIn(folder)
  const manifest = { name: 'platform', version: '1.2.0' }
  const files = {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': {} } }),
    'CHANGELOG.md': '## 1.2.0\n\n- New.\n',
    'wrangler.toml': 'name = "platform"\n',
    'index.ts': 'export default {}\n',
  }
  git('init', '-q', '-b', 'main')
  await mkdir(join(folder, '.ci'))
  await copyFile('.ci/release', join(folder, '.ci/release'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  git('add', '-A')
  git('commit', '-qm', 'Version 1.2.0')
  git('tag', 'v1.2.0')
  const output = join(await temporaryFolder(), 'output')
  const { NODE_OPTIONS, ...inherited } = process.env
  execFileSync('bash', ['.ci/release', 'prepare'], {
    cwd: folder,
    env: {
      ...inherited,
      GITHUB_SHA: git('rev-parse', 'HEAD'),
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: output,
    },
  })
  const archive = await readFile(join(folder, 'release/platform-1.2.0.tar'))
  return { folder, sha256: createHash('sha256').update(archive).digest('hex') }
}

/** An authority that certifies the keys of workflows, as Sigstore does, and signs with them. */
async function newAuthority() {
  const folder = await temporaryFolder()
  const certify = (name: string, ...args: string[]) =>
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
        ...['-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`, ...args],
      ],
      { cwd: folder, stdio: 'pipe' },
    )
  certify('ca')
  const attest = async (
    sha256: string,
    { signer = workflow, predicateType = provenance, signedType = '' } = {},
  ) => {
    const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key']
    certify('run', ...issuer, '-addext', `subjectAltName=URI:${signer}`)
    const [certificate, key] = await Promise.all(
      ['run.pem', 'run.key'].map((name) => readFile(join(folder, name))),
    )
    const statement = (predicateType: string) =>
      Buffer.from(JSON.stringify({ predicateType, subject: [{ digest: { sha256 } }] }))
    const signed = statement(signedType || predicateType)
    const header = Buffer.from(`DSSEv1 4 test ${signed.length} `)
    const signature = sign('sha256', Buffer.concat([header, signed]), createPrivateKey(key ?? ''))
    return {
      verificationMaterial: {
        certificate: { rawBytes: new X509Certificate(certificate ?? '').raw.toString('base64') },
      },
      dsseEnvelope: {
        payloadType: 'test',
        payload: statement(predicateType).toString('base64'),
        signatures: [{ sig: signature.toString('base64') }],
      },
    }
  }
  return { certificate: await readFile(join(folder, 'ca.pem'), 'utf8'), attest }
}

let release: Awaited<ReturnType<typeof newRelease>>
let authority: Awaited<ReturnType<typeof newAuthority>>

beforeAll(async () => {
  if (!hasPrograms) return
  release = await newRelease()
  authority = await newAuthority()
})

async function cloneRelease(): Promise<string> {
  const folder = await temporaryFolder()
  gitIn(release.folder)('clone', '-q', '.', folder)
  return folder
}

/** Serves the provenance of the release in place of github.com. Without it, no release has any. */
async function serveProvenance(bundles?: readonly object[]): Promise<void> {
  const path = `/${repository}/releases/download/v1.2.0/platform-1.2.0.intoto.jsonl`
  const server = createServer(({ url }, response) =>
    bundles && url === path
      ? response.end(bundles.map((bundle) => `${JSON.stringify(bundle)}\n`).join(''))
      : response.writeHead(404).end(),
  )
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : ''
  vi.stubEnv('GITHUB_SERVER_URL', `http://127.0.0.1:${port}`)
}

/** Verifies a clone on a machine with git and perhaps a program `gh`. Returns the printed line, or the refusal. */
async function verify(folder: string, gh?: string): Promise<string> {
  const { PATH } = process.env
  const programs = await temporaryFolder()
  await symlink(findProgram('git'), join(programs, 'git'))
  if (gh) await writeFile(join(programs, 'gh'), `#!/bin/sh\n${gh}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', programs)
  const output = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await verifyRelease(repository, { folder, authority: authority.certificate })
  } catch (error) {
    return (error as Error).message
  } finally {
    vi.stubEnv('PATH', PATH)
  }
  return String(output.mock.calls)
}

test('the certificate of Sigstore is that of its authority, for more years', () => {
  const { ca, subject, validTo, fingerprint256 } = new X509Certificate(sigstoreAuthority)
  expect([ca, subject, validTo.slice(-8)]).toEqual([
    true,
    'O=sigstore.dev\nCN=sigstore-intermediate',
    '2031 GMT',
  ])
  expect(fingerprint256).toMatch(/^15:D7:95:34:82:26:B4:64:.*:7E:FE:47$/)
})

describe.skipIf(!hasPrograms)('a clone at the tag of a release', () => {
  test('is the release that the workflow attested', async () => {
    const others = await authority.attest('0'.repeat(64))
    await serveProvenance([others, await authority.attest(release.sha256)])
    expect(await verify(await cloneRelease())).toBe('This is the release v1.2.0 of oak/platform.\n')
  })

  test('may have its own wrangler.toml, in a later commit too, and no other change', async () => {
    const folder = await cloneRelease()
    await writeFile(join(folder, 'wrangler.toml'), 'name = "ours"\n')
    gitIn(folder)('commit', '-qam', 'Our name')
    await serveProvenance([await authority.attest(release.sha256)])
    expect(await verify(folder)).toBe(
      'This is the release v1.2.0 of oak/platform, with your own wrangler.toml.\n',
    )
    await writeFile(join(folder, 'index.ts'), 'export default { fetch }\n')
    await writeFile(join(folder, 'more.ts'), '')
    expect(await verify(folder)).toBe(
      'Nothing was deployed. Files differ from v1.2.0: index.ts, more.ts.',
    )
  })

  type Difference = {
    sha256?: string
    signer?: string
    predicateType?: string
    signedType?: string
    another?: boolean
  }

  test.each<[string, Difference]>([
    ['another archive', { sha256: '0'.repeat(64) }],
    ['another repository', { signer: workflow.replace('oak', 'elm') }],
    ['another branch', { signer: workflow.replace('main', 'topic') }],
    ['another kind of statement', { predicateType: 'https://example.org/note' }],
    ['a statement that was changed', { signedType: 'https://example.org/note' }],
    ['another authority', { another: true }],
  ])('is refused with the provenance of %s', async (_, { sha256, another, ...options }) => {
    const { attest } = another ? await newAuthority() : authority
    await serveProvenance([await attest(sha256 ?? release.sha256, options)])
    expect(await verify(await cloneRelease())).toBe(
      'Nothing was deployed. The provenance of v1.2.0 of oak/platform does not cover the files of this tag.',
    )
  })

  test('is refused without provenance, and without the tag', async () => {
    const folder = await cloneRelease()
    await serveProvenance()
    expect(await verify(folder)).toMatch(/^Nothing was deployed\. http.*jsonl answered 404\.$/)
    gitIn(folder)('tag', '-d', 'v1.2.0')
    expect(await verify(folder)).toBe(
      `Nothing was deployed. ${folder} must be a git clone with the tag v1.2.0: git fetch --tags`,
    )
  })

  test('is verified with the GitHub CLI where that is installed', async () => {
    const folder = await cloneRelease()
    const calls = join(await temporaryFolder(), 'calls')
    expect(await verify(folder, `echo "$@" >> ${calls}`)).toContain('This is the release v1.2.0')
    expect(await readFile(calls, 'utf8')).toMatch(
      RegExp(
        `\\nattestation verify \\S+/platform-1\\.2\\.0\\.tar --repo ${repository} --cert-identity ${workflow} --deny-self-hosted-runners\\n$`,
      ),
    )
    const refusing = '[ "$1" = --version ] || { echo "no attestations found" >&2; exit 1; }'
    expect(await verify(folder, refusing)).toBe(
      'Nothing was deployed. gh attestation verify failed. no attestations found',
    )
  })
})
