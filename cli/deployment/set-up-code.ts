import { createSetUpCode } from '../../src/auth/one-time-codes.ts'
import { CommandError } from '../terminal/report.ts'
import { describeSetUpCode } from '../terminal/set-up-code.ts'
import { connectRemote } from './remote.ts'
import { trialEnvironment } from './section.ts'

/** The address of the Worker in the output of `wrangler deploy`, lines of JSON: a domain, or that at workers.dev. */
export function readAddress(output: string): string {
  const entries: { type: string; targets?: string[] }[] = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const targets = entries.findLast(({ type }) => type === 'deploy')?.targets ?? []
  const hosts = targets.flatMap(
    (target) => /^(?:https:\/\/)?([\w.-]+\.\w+)/.exec(target)?.[1] ?? [],
  )
  const host = hosts.find((it) => !it.endsWith('.workers.dev')) ?? hosts[0]
  return host ? `https://${host}` : ''
}

/**
 * Prints a setup code for a service without organisations. In CI only the command, because others can read the log,
 * except for a trial: a person who uses the deploy button has no terminal, and only the account's members can read its log.
 */
export async function reportSetUpCode(environment: string, address: string): Promise<void> {
  const command = `npm run admin -- --remote --env ${environment} set-up-code`
  if (process.env.CI && environment !== trialEnvironment) {
    console.log(`For a service without organisations, this makes a setup code:\n  ${command}`)
    return
  }
  try {
    const { env, dispose } = await connectRemote(environment)
    const code = await createSetUpCode(env.DB).finally(dispose)
    if (code !== undefined) console.log(describeSetUpCode(code, address).join('\n'))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    // The Worker is deployed, and the code can follow.
    console.log(`${error.message}\nMake the setup code with:\n  ${command}`)
  }
}
