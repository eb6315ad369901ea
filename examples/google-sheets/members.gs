/**
 * Fills the sheet "Members" with every member: a row each, a column for each field of the schema.
 *
 * Extensions > Apps Script, paste this, and under Project settings > Script properties set API_URL
 * (https://…/api/v1) and API_KEY. Run `refreshMembers`, or let a time-driven trigger run it.
 */
function refreshMembers() {
  const { API_URL, API_KEY } = PropertiesService.getScriptProperties().getProperties()
  const table = membersTable((path) => {
    const answer = UrlFetchApp.fetch(`${API_URL}${path}`, {
      // Strict handling rejects a misspelt filter, which otherwise finds nothing.
      headers: { 'x-api-key': API_KEY, Prefer: 'handling=strict' },
      muteHttpExceptions: true,
    })
    const body = JSON.parse(answer.getContentText())
    if (answer.getResponseCode() !== 200) throw new Error(body.message)
    return body
  })
  const spreadsheet = SpreadsheetApp.getActiveSpreadsheet()
  const sheet = spreadsheet.getSheetByName('Members') ?? spreadsheet.insertSheet('Members')
  sheet.clearContents()
  const range = sheet.getRange(1, 1, table.length, table[0].length)
  // As text: otherwise a sheet turns codes into dates and drops the first zero of a phone number.
  range.setNumberFormat('@').setValues(table)
}

/** Returns every member as rows of texts under a row of column names; `get` fetches a path. */
function membersTable(get) {
  const rows = everyMember(get).map(({ memberId, fields }) => {
    const row = { memberId }
    for (const { key, value } of fields) row[key] = Array.isArray(value) ? value.join('; ') : value
    return row
  })
  const columns = [...new Set(['memberId', ...rows.flatMap((row) => Object.keys(row))])]
  return [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))]
}

/** Reads page by page. The members list has no total: a page that is not full is the last. */
function everyMember(get) {
  const limit = 250
  const members = []
  for (let offset = 0; ; offset += limit) {
    const page = get(`/members?limit=${limit}&offset=${offset}`).members
    members.push(...page)
    if (page.length < limit) return members
  }
}
