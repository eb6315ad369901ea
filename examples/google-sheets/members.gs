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
      headers: { 'x-api-key': API_KEY },
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
  // As text, or a sheet makes dates of codes and drops the zero a phone number begins with.
  range.setNumberFormat('@').setValues(table)
}

/** Every member as rows of texts under a row of column names; `get` gives the answer to a path. */
function membersTable(get) {
  const rows = everyMember(get).map(({ memberId, fields }) => {
    const row = { memberId }
    for (const { key, value } of fields) row[key] = Array.isArray(value) ? value.join('; ') : value
    return row
  })
  const columns = [...new Set(['memberId', ...rows.flatMap((row) => Object.keys(row))])]
  return [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))]
}

/** Page by page to the end. The list of members has no total: the last page is not full. */
function everyMember(get) {
  const limit = 250
  const members = []
  for (let offset = 0; ; offset += limit) {
    const page = get(`/members?limit=${limit}&offset=${offset}`).members
    members.push(...page)
    if (page.length < limit) return members
  }
}
