import { exports } from 'cloudflare:workers'

/** What Excel sends with every request for data. */
export const excelAccept =
  'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7'

/** Sends a request to the OData service of an organisation, from a new address. */
export function sendOData(organisationId: string, path: string, init?: RequestInit) {
  const request = new Request(`https://api.test/odata/${organisationId}/${path}`, init)
  request.headers.set('CF-Connecting-IP', crypto.randomUUID())
  return exports.default.fetch(request)
}

/** The headers of Excel with a key as the password. */
export const basic = (key: string, user = 'excel') => ({
  Authorization: `Basic ${btoa(`${user}:${key}`)}`,
  Accept: excelAccept,
  'OData-MaxVersion': '4.0',
})

/** Opens the OData service of an organisation as Excel does. */
export function openOData({ id, key }: { id: string; key: string }) {
  const get = (path: string, headers: Record<string, string> = {}) =>
    sendOData(id, path, { headers: { ...basic(key), ...headers } })
  return {
    get,
    json: async <Body = Entities>(path: string) => (await get(path)).json<Body>(),
    /** The status of a response, and the message of its error. */
    error: async (path: string) => {
      const response = await get(path)
      const { error } = await response.json<ErrorBody>()
      return [response.status, error.code, error.message]
    },
  }
}

export type Entity = Record<string, unknown>

/** A page of an entity set. */
export type Entities = {
  '@odata.context': string
  '@odata.count'?: number
  '@odata.nextLink'?: string
  value: Entity[]
}

type ErrorBody = { error: { code: string; message: string } }
