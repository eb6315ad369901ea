import { setTimeout } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const { API_URL = 'http://localhost:8787/api/v1', API_KEY = '' } = process.env

/** The API, with the types of its OpenAPI document. */
export const client = createClient<paths, 'application/json'>({
  baseUrl: API_URL,
  headers: { 'x-api-key': API_KEY, Prefer: 'handling=strict' },
  fetch: patientFetch,
})

/** Waits for the time that a busy API asks for. */
async function patientFetch(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(request.clone())
    if (![429, 503].includes(answer.status) || attempt === 10) return answer
    const wait = answer.headers.get('Retry-After') ?? ''
    await setTimeout(1000 * (/^\d+$/.test(wait) ? Number(wait) : 60))
  }
}
