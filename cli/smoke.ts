import { Command } from 'commander'
import * as z from 'zod'

// Exits with 1 if a response is wrong.

const command = new Command('npm run smoke --')
  .description(
    'Check the responses of a running service; with API_KEY in the environment, also a page.',
  )
  .argument('[url]', 'the address of the service', 'http://localhost:8787')
  .parse()
const [base = ''] = command.processedArgs
const { API_KEY } = process.env

const ErrorBody = z.object({ message: z.string() })

const checks: [path: string, status: number, headers?: Record<string, string>][] = [
  ['/healthz', 200],
  ['/readyz', 200],
  ['/api/v1/openapi.json', 200],
  ['/api/v1/members', 401],
  ['/api/v1/members', 401, { 'x-api-key': 'sk_not_a_key' }],
  ...(API_KEY
    ? ([['/api/v1/members?limit=1', 200, { 'x-api-key': API_KEY }]] satisfies [
        string,
        number,
        Record<string, string>,
      ][])
    : []),
]

const outcomes = await Promise.all(
  checks.map(async ([path, expected, headers]) => {
    const { status, answer } = await request(path, headers)
    console.log(`${status === expected ? 'ok' : 'NOT OK'}  ${path}  ${answer}`)
    return status === expected
  }),
)
console.log(`${outcomes.filter(Boolean).length} of ${outcomes.length} responses are correct.`)
process.exitCode = outcomes.every(Boolean) ? 0 : 1

// Retries, because a new deployment takes a moment to reach every location.
async function request(path: string, headers: Record<string, string> = {}) {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(new URL(path, base), { headers, redirect: 'manual' })
      const { status } = response
      if (status < 500) return { status, answer: String(status) }
      if (attempt === 5) return { status, answer: `${status}  ${await readMessage(response)}` }
    } catch (error) {
      if (attempt === 5) return { answer: (error as Error).message }
    }
    await new Promise((resolve) => setTimeout(resolve, attempt * 500))
  }
}

/** The service's reason for an error, such as an invalid setting. */
async function readMessage(response: Response): Promise<string> {
  const { data } = ErrorBody.safeParse(await response.json().catch(() => undefined))
  return data?.message ?? ''
}
