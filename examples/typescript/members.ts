import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'

type Member = components['schemas']['Member']

const { API_URL = 'http://localhost:8787/api/v1', API_KEY = '' } = process.env

const client = createClient<paths, 'application/json'>({
  baseUrl: API_URL,
  // Strict handling rejects a misspelt filter, which otherwise finds nothing.
  headers: { 'x-api-key': API_KEY, Prefer: 'handling=strict' },
})

/** Reads every member. The members list has no total: a page that is not full is the last. */
async function* allMembers(limit = 250): AsyncGenerator<Member> {
  for (let offset = 0; ; offset += limit) {
    const { data, error } = await client.GET('/members', { params: { query: { limit, offset } } })
    if (error) throw new Error(`${error.type}: ${error.message}`)
    yield* data.members
    if (data.members.length < limit) return
  }
}

/** One row for each member: the fields as columns, each under its key. */
const row = ({ memberId, fields }: Member) => ({
  memberId,
  ...Object.fromEntries(fields.map(({ key, value }) => [key, value])),
})

for await (const member of allMembers()) console.log(JSON.stringify(row(member)))
