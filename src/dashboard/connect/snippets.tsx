/** A request for a list: the API's origin, the collection and its filters. */
type ApiCall = {
  origin: string
  name: string
  plural: string
  query: URLSearchParams
  key?: string
}

/** A code snippet for one tool. */
type Snippet = { name: string; text: string; help: string }

const placeholder = 'YOUR_KEY'

/** The value of `Prefer` that turns a misspelt filter into an error. */
const preference = 'handling=strict'

/** Builds the snippets for each tool. All but curl read the whole list as one table. */
function buildSnippets(call: ApiCall): Snippet[] {
  return [
    {
      name: 'curl',
      help: 'Run it in a terminal. It prints one page as JSON.',
      text: buildCurl(call),
    },
    {
      name: 'Power BI and Excel',
      help: 'Choose Get data, Blank query, Advanced editor and paste the query. Then sign in anonymously.',
      text: buildPowerQuery(call),
    },
    {
      name: 'Google Sheets',
      help: 'Paste it into Extensions, Apps Script and run it. It fills the open sheet.',
      text: buildAppsScript(call),
    },
    {
      name: 'Python',
      help: 'Needs only Python 3.',
      text: buildPython(call),
    },
  ]
}

const buildUrl = ({ origin, name, query }: ApiCall) =>
  `${origin}/api/v1/${name}?${formatQuery(query)}`

/** Formats a query with unescaped `$`, which is valid and easier to read. */
const formatQuery = (query: URLSearchParams) => String(query).replaceAll('%24', '$')

/** Returns the URL of the whole list as CSV. */
function buildTableUrl(call: ApiCall, hasLabels: boolean): string {
  const query = new URLSearchParams(call.query)
  query.delete('limit')
  query.delete('offset')
  query.set('$format', 'csv')
  if (hasLabels) query.set('$labels', 'true')
  query.set('$formulas', 'raw')
  return buildUrl({ ...call, query })
}

const buildCurl = (call: ApiCall) =>
  `curl --fail -H 'x-api-key: ${call.key ?? placeholder}' -H 'Prefer: ${preference}' \\\n  ${quoteForShell(buildUrl(call))}`

const quoteForShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function buildPowerQuery(call: ApiCall): string {
  const url = new URL(buildTableUrl(call, true))
  const query = [...url.searchParams]
    .map(([name, value]) => `#${quoteForM(name)} = ${quoteForM(value)}`)
    .join(', ')
  return `let
  Key = ${quoteForM(call.key ?? placeholder)},
  Source = Web.Contents(${quoteForM(url.origin)}, [
    RelativePath = ${quoteForM(url.pathname.slice(1))},
    Query = [${query}],
    Headers = [#"x-api-key" = Key, Prefer = "${preference}"]
  ]),
  Table = Csv.Document(Source, [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),
  Result = Table.PromoteHeaders(Table, [PromoteAllScalars = true])
in
  Result`
}

const quoteForM = (text: string) => `"${text.replaceAll('"', '""').replaceAll('#(', '#(#)(')}"`

const buildAppsScript = (call: ApiCall) => `function fillSheet() {
  const url = ${JSON.stringify(buildTableUrl(call, true))};
  const headers = { 'x-api-key': ${JSON.stringify(call.key ?? placeholder)}, Prefer: '${preference}' };
  const text = UrlFetchApp.fetch(url, { headers }).getContentText();
  const rows = Utilities.parseCsv(text);
  const sheet = SpreadsheetApp.getActiveSheet();
  sheet.clearContents();
  sheet.getRange(1, 1, rows.length, rows[0].length).setNumberFormat('@').setValues(rows);
}`

const buildPython = (call: ApiCall) => `import csv, io, urllib.request

url = ${JSON.stringify(buildTableUrl(call, false))}
headers = {"x-api-key": ${JSON.stringify(call.key ?? placeholder)}, "Prefer": "${preference}"}
request = urllib.request.Request(url, headers=headers)
with urllib.request.urlopen(request) as answer:
    rows = list(csv.DictReader(io.TextIOWrapper(answer, "utf-8", newline="")))

print(len(rows), "${call.plural}")
for row in rows[:3]:
    print(row)`

/** Renders code snippets with copy buttons. */
export function Snippets({
  prefix,
  call,
}: {
  prefix: string
  call: Parameters<typeof buildSnippets>[0]
}) {
  return (
    <>
      {buildSnippets(call).map(({ name, help, text }, index) => {
        const id = `${prefix}-${index}`
        return (
          <div class="snippet">
            <div class="title">
              <h3>{name}</h3>
              <button
                type="button"
                class="button small"
                data-copy={id}
                aria-label={`Copy for ${name}`}
                hidden
              >
                Copy
              </button>
            </div>
            <p>
              <small>{help}</small>
            </p>
            <pre tabindex={0} id={id}>
              {text}
            </pre>
          </div>
        )
      })}
    </>
  )
}
