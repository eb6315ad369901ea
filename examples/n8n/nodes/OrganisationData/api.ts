import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  INodePropertyOptions,
} from 'n8n-workflow'

const credential = 'organisationDataApi'

/** The most records of a page. */
const maxPage = 250

export const collections: INodePropertyOptions[] = [
  { name: 'Booking', value: 'bookings' },
  { name: 'Case Note', value: 'case-notes' },
  { name: 'Disbursement', value: 'disbursements' },
  { name: 'Event', value: 'events' },
  { name: 'Form', value: 'forms' },
  { name: 'Fund', value: 'funds' },
  { name: 'Grant Application', value: 'grant-applications' },
  { name: 'Member', value: 'members' },
  { name: 'Partner', value: 'partners' },
  { name: 'Survey Response', value: 'survey-responses' },
  { name: 'Volunteer', value: 'volunteers' },
]

type Caller = IExecuteFunctions | IHookFunctions

type Answer = { body: IDataObject; headers: IDataObject }

/** Sends a request to a path of the API, or to the address of a next page. */
export async function callApi(
  caller: Caller,
  path: string,
  options: Partial<IHttpRequestOptions> = {},
): Promise<Answer> {
  const { baseUrl } = await caller.getCredentials<{ baseUrl: string }>(credential)
  const root = baseUrl.replace(/\/+$/, '')
  const url = path.startsWith('/') ? root + path : path
  // The key must not reach another service.
  if (!url.startsWith(`${root}/`))
    throw new Error('The next page has the address of another service.')
  return caller.helpers.httpRequestWithAuthentication.call(caller, credential, {
    json: true,
    ...options,
    url,
    returnFullResponse: true,
  })
}

/** Reads the records of a list, page by page: all, or at most `limit`. */
export async function readRecords(
  caller: Caller,
  collection: string,
  { filter, limit = Number.POSITIVE_INFINITY }: { filter: string; limit?: number | undefined },
): Promise<IDataObject[]> {
  const records: IDataObject[] = []
  const qs = { limit: Math.min(limit, maxPage), ...(filter && { $filter: filter }) }
  let answer = await callApi(caller, `/${collection}`, { qs })
  for (;;) {
    records.push(...listed(answer.body))
    const next = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
    if (next === undefined || records.length >= limit) return records.slice(0, limit)
    answer = await callApi(caller, next)
  }
}

/** The record of an answer, which has it under the name of its kind. */
export const recordOf = ({ body }: Answer): IDataObject => Object.values(body)[0] as IDataObject

/** The records of a list, which has them under the name of the collection. */
const listed = (body: IDataObject): IDataObject[] =>
  (Object.values(body).find(Array.isArray) ?? []) as IDataObject[]
