/** What is asked of the API: where it is, and which list with which filters. */
export type Call = {
  origin: string
  name: string
  plural: string
  query: URLSearchParams
  key?: string
}

/** A way to call the API, with the program text that does it. */
export type Snippet = { name: string; text: string; help: string }

const placeholder = 'YOUR_KEY'

/** The same list for each of the tools that data staff work in. All of what passes is read, page by page or as one table. */
export function snippetsOf(call: Call): Snippet[] {
  return [
    {
      name: 'curl',
      help: 'In a terminal; prints one page as JSON.',
      text: curl(call),
    },
    {
      name: 'Power BI and Excel',
      help: 'Get data, Blank query, Advanced editor; then sign in anonymously.',
      text: powerQuery(call),
    },
    {
      name: 'Google Sheets',
      help: 'Extensions, Apps Script; then run it. It fills the sheet that is open.',
      text: appsScript(call),
    },
    {
      name: 'Python',
      help: 'Needs nothing but Python 3.',
      text: python(call),
    },
  ]
}

const addressOf = ({ origin, name, query }: Call) => `${origin}/api/v1/${name}?${plain(query)}`

/** A query as people read it: `$` needs no escape, and what may be left out is. */
const plain = (query: URLSearchParams) => String(query).replaceAll('%24', '$')

/** The same list as one table, whatever its length. */
function tableOf(call: Call, labels: boolean): string {
  const query = new URLSearchParams(call.query)
  query.delete('limit')
  query.delete('offset')
  query.set('$format', 'csv')
  if (labels) query.set('$labels', 'true')
  query.set('$formulas', 'raw')
  return addressOf({ ...call, query })
}

const curl = (call: Call) =>
  `curl --fail -H 'x-api-key: ${call.key ?? placeholder}' \\\n  ${quotedForShell(addressOf(call))}`

const quotedForShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function powerQuery(call: Call): string {
  const url = new URL(tableOf(call, true))
  const query = [...url.searchParams]
    .map(([name, value]) => `#${quotedForM(name)} = ${quotedForM(value)}`)
    .join(', ')
  return `let
  Key = ${quotedForM(call.key ?? placeholder)},
  Source = Web.Contents(${quotedForM(url.origin)}, [
    RelativePath = ${quotedForM(url.pathname.slice(1))},
    Query = [${query}],
    Headers = [#"x-api-key" = Key]
  ]),
  Table = Csv.Document(Source, [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),
  Result = Table.PromoteHeaders(Table, [PromoteAllScalars = true])
in
  Result`
}

const quotedForM = (text: string) => `"${text.replaceAll('"', '""').replaceAll('#(', '#(#)(')}"`

const appsScript = (call: Call) => `function fillSheet() {
  const url = ${JSON.stringify(tableOf(call, true))};
  const headers = { 'x-api-key': ${JSON.stringify(call.key ?? placeholder)} };
  const text = UrlFetchApp.fetch(url, { headers }).getContentText();
  const rows = Utilities.parseCsv(text);
  const sheet = SpreadsheetApp.getActiveSheet();
  sheet.clearContents();
  sheet.getRange(1, 1, rows.length, rows[0].length).setNumberFormat('@').setValues(rows);
}`

const python = (call: Call) => `import csv, io, urllib.request

url = ${JSON.stringify(tableOf(call, false))}
request = urllib.request.Request(url, headers={"x-api-key": ${JSON.stringify(call.key ?? placeholder)}})
with urllib.request.urlopen(request) as answer:
    rows = list(csv.DictReader(io.TextIOWrapper(answer, "utf-8", newline="")))

print(len(rows), "${call.plural}")
for row in rows[:3]:
    print(row)`
