import { exec } from 'node:child_process'

/** Checks the types of a project again only where files have changed. One checker: several check the same files twice. */
const checkTypes = (project: string, name: string) =>
  `tsc -p ${project} --checkers 1 --incremental --tsBuildInfoFile node_modules/.cache/tsc/${name}.tsbuildinfo`

/** The checks that need no running code. */
const commands = [
  'biome check --error-on-warnings .',
  checkTypes('.', 'worker'),
  checkTypes('cli', 'cli'),
  'spectral lint --fail-severity warn test/http/openapi.snap.json',
]

// In parallel: none of them keeps both cores busy.
for (const command of commands) {
  exec(command, (error, stdout, stderr) => {
    console.log(`${error ? 'FAILED' : 'passed'}: ${command}`)
    if (!error) return
    console.log(stdout + stderr)
    process.exitCode = 1
  })
}
