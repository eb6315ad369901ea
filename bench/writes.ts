import { request } from 'node:http'
import { statement } from '../src/store/statement.ts'
import { putDocuments, putRecords } from '../src/store/write/put.ts'
import type { Servers } from './against-floor.ts'
import { median } from './load.ts'
import { fields, memberDocument, memberId, memberValues } from './members.ts'
import { atMost, type Line } from './report.ts'

// The fixture's members have lower numbers.
const firstNewMember = 5_000_000

/** Measures the creation of a member through the API, and of many with the import's statement. */
export async function measureWrites(servers: Servers, organisationId: string): Promise<Line[]> {
  const times: number[] = []
  for (let member = 0; member < 60; member++)
    times.push(await post(servers, firstNewMember + member))
  const count = 1000
  const members = Array.from({ length: count }, (_, index) => firstNewMember + 1000 + index)
  const records = members.map((member) => ({
    id: memberId(member),
    document: memberDocument(member),
  }))
  const begun = performance.now()
  await putRecords(servers.bindings.DB, organisationId, 'members', records)
  const durationMs = performance.now() - begun
  const scope = { organisationId, collection: 'members' }
  let rows = 0
  let deleted = 0
  for (let index = 0; index < 256; index++) {
    const member = firstNewMember + 10_000 + index
    const record = { id: memberId(member), document: memberDocument(member) }
    const { meta } = await statement(servers.bindings.DB, putDocuments(scope, [record])).run()
    rows += meta.rows_written
  }
  for (let index = 0; index < 256; index++) {
    const { meta } = await servers.bindings.DB.prepare(
      "DELETE FROM records WHERE collection = 'members' AND id = ? AND organisation_id = ?",
    )
      .bind(memberId(index % 2 ? firstNewMember + 10_000 + index : index), organisationId)
      .run()
    deleted += meta.rows_written
  }
  const imported = ((count / durationMs) * 1000).toFixed(0)
  return [
    atMost(`rows written for a member of ${fields.length} fields`, rows / 256, 43),
    atMost('rows written to delete one, at any position', deleted / 256, 45),
    { measure: 'POST /members, median', result: `${median(times).toFixed(1)} ms` },
    {
      measure: 'import, members a second',
      result: imported,
      plain: { request: 'Members imported in a second', answer: imported },
    },
  ]
}

function post({ url, key }: Servers, member: number): Promise<number> {
  const sent = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
    request(`${url}/members`, { method: 'POST', headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 201) resolve(performance.now() - sent)
        else reject(new Error(`POST /members returned status ${response.statusCode}.`))
      })
    })
      .on('error', reject)
      .end(JSON.stringify(memberValues(member)))
  })
}
