import { vi } from 'vitest'
import { adminProgram } from '../../cli/commands/program.ts'

/** Runs a command in this process, since starting one takes seconds. Returns its output and exit code. */
export async function runAdmin(...args: string[]) {
  let stdout = ''
  let stderr = ''
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text
    return true
  })
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text
    return true
  })
  process.exitCode = 0
  await adminProgram().parseAsync(args, { from: 'user' })
  const status = process.exitCode
  process.exitCode = 0
  out.mockRestore()
  err.mockRestore()
  return { status, stdout, stderr }
}
