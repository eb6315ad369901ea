import { vi } from 'vitest'
import { adminProgram } from '../../cli/commands/program.ts'

/** What the command says and ends with, in the process of the test, which a process of its own would take seconds to begin. */
export async function admin(...args: string[]) {
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
