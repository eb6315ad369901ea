import { exec } from 'node:child_process'

/** Whatever checks files without running them; each `tsc` by one checker, as several check the same things twice. */
const commands = [
  'biome check --error-on-warnings .',
  'tsc -p . --checkers 1',
  'tsc -p cli --checkers 1',
  'redocly lint test/http/openapi.snap.json',
  'spectral lint --fail-severity warn test/http/openapi.snap.json',
]

// Side by side, as none of them keeps two cores busy; what a command says is shown when it ends.
for (const command of commands) {
  exec(command, (error, stdout, stderr) => {
    console.log(`${error ? 'FAILED' : 'passed'}: ${command}`)
    if (!error) return
    console.log(stdout + stderr)
    process.exitCode = 1
  })
}
