import { client } from './client.ts'

// Prints each record of a collection as a line of JSON: `API_KEY=sk_... node collection.ts bookings`.

const collections = [
  'members',
  'volunteers',
  'partners',
  'events',
  'bookings',
  'forms',
  'survey-responses',
  'case-notes',
  'funds',
  'grant-applications',
  'disbursements',
] as const

const [, , name] = process.argv
const collection = collections.find((each) => each === name)
if (!collection) throw new Error(`Choose one of ${collections.join(', ')}.`)

/** Reads page by page: `next` is the path of the following page, and the last page has none. */
async function* readPages(path: `/${(typeof collections)[number]}`) {
  let $skiptoken: string | null = 'start'
  while ($skiptoken) {
    const { data, error } = await client.GET(path, {
      params: { query: { limit: 250, $skiptoken } },
    })
    if (error) throw new Error(`${error.type}: ${error.message}`)
    yield data
    $skiptoken = parseToken(data.next)
  }
}

/** Returns the token of an address, or undefined. */
function parseToken(address = ''): string | null {
  return new URLSearchParams(address.split('?')[1]).get('$skiptoken')
}

for await (const page of readPages(`/${collection}`)) {
  const records = Object.values(page).find(Array.isArray) ?? []
  for (const record of records) console.log(JSON.stringify(record))
}
