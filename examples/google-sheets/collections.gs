/**
 * Fills a sheet with each collection: a row for each record, a column for each value.
 *
 * 1. In a spreadsheet: Extensions > Apps Script. Replace the code by this file.
 * 2. Project settings > Script properties: API_URL (https://…/api/v1), API_KEY and, to choose,
 *    COLLECTIONS, such as "events,bookings".
 * 3. Run `refreshSheets`. To refresh every night, run `refreshDaily` once.
 *
 * Everyone who can open the spreadsheet sees the records, and everyone who can edit it sees the key.
 */
const everyCollection =
  'members,volunteers,partners,events,bookings,forms,survey-responses,case-notes,funds,grant-applications,disbursements'

/** Refreshes all sheets. A sheet whose collection cannot be read keeps its rows. */
function refreshSheets() {
  const { API_URL, API_KEY, COLLECTIONS = everyCollection } =
    PropertiesService.getScriptProperties().getProperties()
  const errors = []
  for (const collection of COLLECTIONS.split(',')) {
    try {
      fillSheet(collection, toTable(readCollection(API_URL, API_KEY, collection)))
    } catch (error) {
      errors.push(`${collection}: ${error.message}`)
    }
  }
  // Google sends the error of a trigger to its owner.
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

/** Lets Google run `refreshSheets` every night, and no other trigger of it. */
function refreshDaily() {
  for (const trigger of ScriptApp.getProjectTriggers())
    if (trigger.getHandlerFunction() === 'refreshSheets') ScriptApp.deleteTrigger(trigger)
  ScriptApp.newTrigger('refreshSheets').timeBased().everyDays(1).atHour(4).create()
}

/** Reads page by page: `next` is the path of the following page, and the last page has none. */
function readCollection(apiUrl, apiKey, collection) {
  const [origin] = /^https?:\/\/[^/]+/.exec(apiUrl)
  const records = []
  let url = `${apiUrl}/${collection}?limit=250&%24skiptoken=start`
  while (url) {
    const { next, ...page } = fetchJson(url, apiKey)
    records.push(...Object.values(page).find(Array.isArray))
    url = next && origin + next
  }
  return records
}

/** Waits for the time that a busy API asks for. */
function fetchJson(url, apiKey) {
  for (let attempt = 1; ; attempt++) {
    const answer = UrlFetchApp.fetch(url, {
      headers: { 'x-api-key': apiKey, Prefer: 'handling=strict' },
      muteHttpExceptions: true,
    })
    const status = answer.getResponseCode()
    if (status === 200) return JSON.parse(answer.getContentText())
    if (![429, 503].includes(status) || attempt === 5)
      throw new Error(`${status}: ${JSON.parse(answer.getContentText()).message}`)
    const wait = answer.getHeaders()['Retry-After']
    Utilities.sleep(1000 * (/^\d+$/.test(wait) ? Number(wait) : 60))
  }
}

/** Returns the names of the columns, their formats, and rows of cells. */
function toTable(records) {
  const rows = records.map((record) => flatten(record))
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const types = columns.map((column) => columnType(rows.map((row) => row[column])))
  return {
    columns,
    formats: types.map(({ format }) => format),
    rows: rows.map((row) =>
      columns.map((column, index) => (row[column] == null ? '' : types[index].toCell(row[column]))),
    ),
  }
}

/** Returns a record as one object: those in it by dotted names, a person's fields by their keys. */
function flatten(record, prefix = '') {
  const row = {}
  for (const [name, value] of Object.entries(record)) {
    if (name === 'fields') for (const field of value) row[prefix + field.key] = field.value
    else if (value === null || typeof value !== 'object' || Array.isArray(value))
      row[prefix + name] = value
    else if (name !== 'schemaInfo') Object.assign(row, flatten(value, `${prefix}${name}.`))
  }
  return row
}

/** Returns how a column with these values is shown. JSON has types for all but dates and times. */
function columnType(values) {
  const present = values.filter((value) => value != null)
  const all = (test) => present.length > 0 && present.every(test)
  if (all((value) => ['number', 'boolean'].includes(typeof value)))
    return { format: 'General', toCell: (value) => value }
  // The sheet reads a date, whatever its time zone, and shows a time in its own.
  if (all((value) => /^\d{4}-\d\d-\d\d$/.test(value)))
    return { format: 'yyyy-mm-dd', toCell: (value) => value }
  if (all((value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)))
    return { format: 'yyyy-mm-dd hh:mm', toCell: (value) => new Date(value) }
  // As text: otherwise a sheet turns codes into dates and drops the first zero of a phone number.
  return { format: '@', toCell }
}

function toCell(value) {
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? value.join('; ')
        : JSON.stringify(value)
  // The maximum length of a cell.
  return text.slice(0, 50000)
}

function fillSheet(name, { columns, formats, rows }) {
  const spreadsheet = SpreadsheetApp.getActiveSpreadsheet()
  const sheet = spreadsheet.getSheetByName(name) ?? spreadsheet.insertSheet(name)
  const missingRows = rows.length + 1 - sheet.getMaxRows()
  if (missingRows > 0) sheet.insertRowsAfter(sheet.getMaxRows(), missingRows)
  const missingColumns = columns.length - sheet.getMaxColumns()
  if (missingColumns > 0) sheet.insertColumnsAfter(sheet.getMaxColumns(), missingColumns)
  sheet.clearContents()
  if (rows.length === 0) return
  sheet.getRange(1, 1, 1, columns.length).setNumberFormat('@').setValues([columns])
  formats.forEach((format, index) => {
    sheet.getRange(2, index + 1, rows.length, 1).setNumberFormat(format)
  })
  sheet.getRange(2, 1, rows.length, columns.length).setValues(rows)
}
