import { html } from 'hono/html'
import { collectionTitle } from '../model/collection.ts'
import { valueAt } from '../model/json.ts'
import { kinds } from '../model/properties/schema.ts'
import { formatNumber } from '../platform/format-number.ts'
import type { PersonalData } from './personal-data-types.ts'

const descriptions: Readonly<Record<string, string>> = {
  bookings: 'Bookings of events, one per row.',
  events: 'Events with their address or number as the contact, one per row.',
  funds: 'Funds with their address as the contact, one per row.',
  'grant-applications': 'Grant applications, one per row.',
  disbursements: 'Disbursements of their grants, one per row.',
  'survey-responses': 'Answers to forms, one per row.',
  'case-notes': 'Case notes, one per row.',
  'previous-versions': 'The record before its last changes, one version per row.',
  'sign-ups': 'Answers given when signing up for events, one sign-up per row.',
  drafts: 'Answers to forms that they saved and have not sent, one form per row.',
  messages: 'Messages sent to them, one per row; their text is not stored.',
}

/** Renders the zip's page of contents: the files and the person's record. `counts` holds the number of records by collection. */
export function renderContents(
  personalData: PersonalData,
  counts: ReadonlyMap<string, number>,
): string {
  const { kind, id, organisation, at, deletedAt, document, layout } = personalData
  const { otherValues, shared, withheld } = personalData
  const record: unknown = JSON.parse(document)
  const values = [
    ...layout.fields.map((field) => [field.label, valueAt(record, [field.id])]),
    ...Object.entries(otherValues),
  ].filter(([, value]) => value !== undefined)
  const { singular } = kinds[kind]
  const title = `Data that ${organisation} stores about the ${singular} ${id}`
  const [presentCounts, emptyCounts] = [true, false].map((hasRecords) =>
    [...counts].filter(([, count]) => count > 0 === hasRecords),
  ) as [[string, number][], [string, number][]]
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>This is everything stored on ${at.slice(0, 10)} at ${at.slice(11, 16)} (UTC). A spreadsheet program opens the other files.</p>
${deletedAt ? html`<p>The record was deleted on ${deletedAt.slice(0, 10)}. This is its last version.</p>\n` : ''}<h2>The files</h2>
<dl>
<dt><a href="${singular}.csv">${singular}.csv</a></dt>
<dd>The record, as below.</dd>
${presentCounts.map(
  ([name, count]) => html`<dt><a href="${name}.csv">${name}.csv</a> (${formatNumber(count)})</dt>
<dd>${descriptions[name] ?? ''}</dd>
`,
)}</dl>
${emptyCounts.map(([name]) => html`<p>There are no ${collectionTitle(name)}.</p>\n`)}${
  shared.length > 0
    ? html`<h2>Records about several people</h2>
<p>These records also concern other people, whose ids are left out. The text may still mention them: read the records before you pass them on.</p>
<ul>
${shared.map((record) => html`<li>${collectionTitle(record.collection)}: ${record.id}</li>\n`)}</ul>
`
    : ''
}${
  withheld.length > 0
    ? html`<h2>Hidden data</h2>
<ul>
${withheld.map((sentence) => html`<li>${sentence}</li>\n`)}</ul>
`
    : ''
}<h2>The record</h2>
<table>
<tbody>
${values.map(
  ([label, value]) => html`<tr><th scope="row">${label}</th><td>${formatValue(value)}</td></tr>
`,
)}</tbody>
</table>
</body>
</html>
`)
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
