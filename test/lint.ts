import { exec } from 'node:child_process'

/** The checks that need no running code. One type checker per project: several check the same files twice. */
const commands = [
  'biome check --error-on-warnings .',
  'tsc -p . --checkers 1',
  'tsc -p cli --checkers 1',
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
