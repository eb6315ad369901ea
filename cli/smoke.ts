import { Command } from 'commander'

// Exits with 1 if a response is wrong.

const command = new Command('npm run smoke --')
  .description(
    'Check the responses of a running service; with API_KEY in the environment, also a page.',
  )
  .argument('[url]', 'the address of the service', 'http://localhost:8787')
  .parse()
const [base = ''] = command.processedArgs
const { API_KEY } = process.env

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
    const status = await statusOf(path, headers)
    console.log(`${status === expected ? 'ok' : 'NOT OK'}  ${path}  ${status}`)
    return status === expected
  }),
)
console.log(`${outcomes.filter(Boolean).length} of ${outcomes.length} responses are correct.`)
process.exitCode = outcomes.every(Boolean) ? 0 : 1

// Retries, because a new deployment takes a moment to reach every location.
async function statusOf(path: string, headers: Record<string, string> = {}) {
  for (let attempt = 1; ; attempt++) {
    try {
      const { status } = await fetch(new URL(path, base), { headers, redirect: 'manual' })
      if (status < 500 || attempt === 5) return status
    } catch (error) {
      if (attempt === 5) return (error as Error).message
    }
    await new Promise((resolve) => setTimeout(resolve, attempt * 500))
  }
}
