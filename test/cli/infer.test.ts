import { existsSync, readFileSync } from 'node:fs'
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { adminProgram } from '../../cli/commands/program.ts'
import * as platform from '../../cli/state/bindings.ts'
import { runAdmin } from './in-process.ts'
import { localState, newOrganisation } from './local-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
const bindings = await localState()
const samples = 'demo/exports'

// Opening a state takes longer than all else here: the commands share one.
beforeEach(() => {
  vi.spyOn(platform, 'withBindings').mockImplementation((_, work) => work(bindings))
})
afterEach(() => vi.restoreAllMocks())

const copied = async (sample: string, name = sample) => {
  const path = join(folder, name)
  await copyFile(join(samples, sample), path)
  return path
}

test("a charity's own export is served after one command, and unchanged after another", async () => {
  const { id, get } = await newOrganisation(bindings)
  const file = await copied('charity-members.csv', 'members.csv')
  const first = await runAdmin('import', id, file, '--infer')
  expect(first).toMatchObject({ status: 0, stderr: '' })
  expect(first.stdout).toContain('There was no schema of members: one of 18 fields is made')
  expect(first.stdout).toContain('Imported: 200 new members.')
  const { members } = await get<{ members: { fields: object[] }[] }>(
    'members?Gift%20Aid=true&limit=1',
  )
  expect(members[0]?.fields).toEqual(
    expect.arrayContaining([expect.objectContaining({ key: 'Gift Aid', type: 'boolean' })]),
  )
  const again = await runAdmin('import', id, file, '--infer')
  expect(again.stdout).toContain('Imported: 200 unchanged members.')
  const kept = await bindings.DB.prepare(
    'SELECT mapping FROM import_mappings WHERE organisation_id = ?',
  )
    .bind(id)
    .first<string>('mapping')
  expect(JSON.parse(kept ?? '')).toMatchObject({ id: { columns: ['Ref'] }, fields: [] })
})

test('says how many new people may be known already', async () => {
  const { id } = await newOrganisation(bindings)
  const file = join(folder, 'known.csv')
  const note =
    'new person may be known already, by email address, telephone number, or name and birth date.'
  await writeFile(file, 'Ref,Name,Email\n1,Ada Obi,ada@oak.test\n2,Ben Okri,ben@oak.test\n')
  expect((await runAdmin('import', id, file, '--infer')).stdout).not.toContain('known already')
  await writeFile(file, 'Ref,Name,Email\n3,A. Obi,ADA@oak.test\n4,Cem Ozan,cem@oak.test\n')
  for (const options of [['--dry-run'], []]) {
    const { stdout } = await runAdmin('import', id, file, '--infer', ...options)
    expect(stdout).toContain(`1 ${note}`)
    expect(stdout).toContain('the list of members on the dashboard has “Likely duplicates”')
  }
})

test('every sample is taken as a whole', async () => {
  const { id } = await newOrganisation(bindings)
  await writeFile(join(folder, 'events.csv'), 'Event ID,Event name\nE1,Summer Open Day\n')
  await runAdmin('import', id, join(folder, 'events.csv'), '--infer')
  await runAdmin('import', id, 'demo/schemas.json', 'demo/forms.json')
  const told: Record<string, unknown> = {}
  for (const sample of (await readdir(samples)).filter((name) => /\.(?:csv|txt)$/.test(name))) {
    const hasNeeds = /^eventbrite|^ticket|responses/.test(sample)
    const organisation = hasNeeds ? id : (await newOrganisation(bindings)).id
    const file = await copied(sample)
    const { stdout } = await runAdmin('--json', 'import', organisation, file, '--infer')
    const [{ outcome, collection, proposal }] = JSON.parse(stdout).files
    expect([sample, outcome.errors, outcome.created]).toEqual([sample, [], outcome.rows])
    told[sample] = [proposal.system, collection, ...proposal.mapping.id.columns].join(', ')
  }
  expect(told).toMatchInlineSnapshot(`
    {
      "charity-members.csv": ", members, Ref",
      "civicrm-contacts.csv": "CiviCRM, members, Contact ID",
      "donorfy-constituents.csv": "Donorfy, members, ExternalKey",
      "eventbrite-attendees.csv": "Eventbrite, bookings, Attendee #",
      "google-forms-members.csv": "Google Forms, members, Email Address",
      "google-forms-responses.csv": "Google Forms, survey-responses, Timestamp",
      "lamplight-people.csv": "Lamplight, members, id",
      "mailchimp-subscribed.csv": "Mailchimp, members, LEID",
      "microsoft-forms-volunteers.txt": "Microsoft Forms, volunteers, Your email address",
      "npsp-data-import.csv": "Salesforce NPSP, members, Contact1 Personal Email",
      "ticket-tailor-tickets.csv": "Ticket Tailor, bookings, Ticket reference",
    }
  `)
})

test('answers to a form are linked to who gave them, and become values of theirs, when that is asked', async () => {
  const { id, get } = await newOrganisation(bindings)
  await runAdmin('import', id, 'demo/schemas.json', 'demo/members.csv', 'demo/forms.json')
  const file = await copied('google-forms-responses.csv', 'about.csv')
  const asked = ['import', id, file, '--infer', '--form', 'About you']
  const { stdout, status } = await runAdmin(...asked, '--match', 'email')
  expect([stdout, status]).toEqual([
    expect.stringContaining('Imported: 12 new survey-responses.'),
    0,
  ])
  expect(stdout).toContain('10 × "Email Address" is the e-mail address of none of the members')
  const { surveyResponses } = await get<{
    surveyResponses: { linkedEntities: { memberIds: string[] } }[]
  }>('survey-responses?limit=2')
  expect(surveyResponses.map(({ linkedEntities }) => linkedEntities.memberIds)).toEqual([
    ['member-0001'],
    ['member-0002'],
  ])
  const { members } = await get<{ members: object[] }>('members?Household%20Size=1&limit=1')
  expect(members).toMatchObject([{ memberId: 'member-0001' }])
  expect((await runAdmin(...asked)).stderr).toContain(
    'says that already: edit it, or remove it for --form.',
  )
})

test('a sign-in sheet is asked for its event, and next week for another', async () => {
  const { id, get } = await newOrganisation(bindings)
  const events = join(folder, 'events.csv')
  await writeFile(events, 'Event ID,Event name\nE1,Lunch club\nE2,Lunch club\n')
  await runAdmin('import', id, events, '--infer')
  await runAdmin('import', id, 'demo/schemas.json')
  const file = join(folder, 'sign-in.csv')
  await writeFile(file, 'Name,E-mail,Came\nAnn,ann@b.org,Yes\nBo,bo@b.org,No\nTotal,,2\n')
  const asked = ['import', id, file, '--infer', '--collection', 'bookings']
  const none = await runAdmin(...asked)
  expect([none.status, none.stdout]).toEqual([
    1,
    expect.stringContaining('Which event was this for? No column says it: name the event by'),
  ])
  expect(none.stdout).toContain('2 × has no event. Which event was this for?')
  expect(none.stdout).toContain('1 × holds totals and is skipped. line 4 "Total 2"')
  for (const event of ['E1', 'E2'])
    expect((await runAdmin(...asked, '--event', event)).stdout).toContain(
      'Imported: 2 new bookings.',
    )
  expect(await get('bookings?eventId=E1')).toMatchObject({ total: 2 })
  expect(await get('bookings?eventId=E2')).toMatchObject({ total: 2 })
  expect((await runAdmin(...asked, '--event', 'E3')).stderr).toContain('There is no event E3')
  const changed = await readFile(file, 'utf8')
  await writeFile(file, changed.replace('Bo,bo@b.org,No', 'Bob,bo@b.org,No'))
  const again = await runAdmin(...asked, '--event', 'E2', '--dry-run')
  expect(again.stdout).toContain('(line 3): userName "Bo" → "Bob"')
  const mappingFile = join(folder, 'sign-in.mapping.json')
  const mapping = JSON.parse(await readFile(mappingFile, 'utf8'))
  expect(mapping.same).toEqual({})
  await writeFile(mappingFile, JSON.stringify({ ...mapping, same: { eventId: 'E1' } }))
  expect((await runAdmin(...asked, '--event', 'E2')).stderr).toContain('take eventId out of "same"')
  const people = join(folder, 'people-of.csv')
  await writeFile(people, 'Ref,Name\nA1,Ann\n')
  const wrong = await runAdmin(
    'import',
    id,
    people,
    '--infer',
    '--collection',
    'members',
    '--event',
    'E1',
  )
  expect(wrong.stderr).toContain('--event is for bookings.')
})

test('a sheet of ticks is imported for the dates of its series', async () => {
  const { id, get } = await newOrganisation(bindings)
  const events = join(folder, 'events.ndjson')
  const club = { eventId: 'club', name: 'Lunch club', recurrence: { recurring: true } }
  const dates = ['2026-04-03', '2026-04-10'].map((day) => ({
    ...{ eventId: day, name: 'Lunch club', parentEventId: 'club', start: `${day}T11:00:00.000Z` },
  }))
  await writeFile(events, [club, ...dates].map((event) => JSON.stringify(event)).join('\n'))
  await runAdmin('import', id, events)
  await runAdmin('import', id, 'demo/schemas.json')
  const file = join(folder, 'ticks.csv')
  await writeFile(file, 'Name,03/04/2026,10/04/2026\nAnn,x,\nBo,x,x\n')
  const asked = ['import', id, file, '--infer']
  expect((await runAdmin(...asked)).stderr).toContain('name their series by --event.')
  expect((await runAdmin(...asked, '--event', 'club')).stdout).toContain(
    'Imported: 3 new bookings.',
  )
  const { bookings } = await get<{ bookings: Record<string, string>[] }>('bookings')
  expect(
    bookings.map(({ userName, date, orgStatus }) => `${userName} ${date} ${orgStatus}`),
  ).toEqual(['Ann 2026-04-03 attended', 'Bo 2026-04-03 attended', 'Bo 2026-04-10 attended'])
})

describe('a file with errors', () => {
  const text = 'Ref;Name;Born\nA1;Ann;31/12/1960\nA2;=Bo;31/02/1960\nA3;Cy;01/02/1970\n'
  const many = (good: string) =>
    text + Array.from({ length: 30 }, (_, at) => `B${at};=Di ${at};${good}\n`).join('')

  test('is imported whole or not at all, or but for the rejected rows, which come with the reasons and can be imported when they are corrected', async () => {
    const { id } = await newOrganisation(bindings)
    const file = join(folder, 'people.csv')
    await writeFile(file, many('01/02/1970'))
    const asked = ['import', id, file, '--infer', '--collection', 'members']
    const none = await runAdmin(...asked)
    expect(none.status).toBe(1)
    expect(none.stdout).toContain(
      '1 × "Born" is not a date, such as 31/12/2025 or 2025-12-31. line 3 "31/02/1960"',
    )
    expect(none.stdout).toContain('Not imported: 32 new, 1 rejected members.')
    const rest = join(folder, 'rest.csv')
    const some = await runAdmin(...asked, '--rejected', rest)
    expect(some.stdout).toContain('Imported: 32 new, 1 rejected members.')
    expect((await stat(rest)).mode & 0o777).toBe(0o600)
    const left = await readFile(rest, 'utf8')
    expect(left).toBe(
      '\uFEFF"Ref","Name","Born","Line in the file","Why it was not imported","Record to change"\r\n"A2","\'=Bo","31/02/1960","3","Born is not a date, such as 31/12/2025 or 2025-12-31.",""\r\n',
    )
    await writeFile(
      rest,
      left
        .replace('31/02', '28/02')
        .replace('"Born"', '"Born","Town"')
        .replace('28/02/1960"', '28/02/1960","Leeds"'),
    )
    const mapping = join(folder, 'people.mapping.json')
    const corrected = await runAdmin('import', id, rest, '--infer', '--mapping', mapping)
    expect(corrected.stdout).toContain('Imported: 1 new members.')
    expect(corrected.stdout).toContain('does not name them: "Town".')
    expect(corrected.status).toBe(0)
  })

  test('is only looked at on a dry run, and its mapping can be edited', async () => {
    const { id, get } = await newOrganisation(bindings)
    const file = join(folder, 'dry.csv')
    await writeFile(file, text.replace('31/02', '01/02'))
    const asked = ['import', id, file, '--infer', '--collection', 'members']
    const { stdout } = await runAdmin(...asked, '--dry-run')
    expect(stdout).toContain('one of 3 fields is made from this file, and would be kept.')
    expect(stdout).toContain('Not imported: 3 new members.')
    const mapping = join(folder, 'dry.mapping.json')
    const kept = await readFile(mapping, 'utf8')
    await writeFile(
      mapping,
      kept.replaceAll('"Born"', '"Birthday"').replace('"heading": "Birthday"', '"heading": "Born"'),
    )
    await runAdmin(...asked)
    const { members } = await get<{ members: { fields: { key: string; value: string }[] }[] }>(
      'members?limit=1',
    )
    expect(members[0]?.fields).toContainEqual(
      expect.objectContaining({ key: 'Birthday', value: '1960-12-31' }),
    )
    await writeFile(mapping, kept.replace('"memberId"', '"nobody"'))
    expect((await runAdmin(...asked)).stderr).toContain(
      'columns.0.field nobody is no field or property of members.',
    )
    await writeFile(mapping, '{"collection": "things"}')
    expect((await runAdmin(...asked)).stderr).toContain('collection must be one of: members, ')
  })
})

test('what cannot be is refused with what can', async () => {
  const { id } = await newOrganisation(bindings)
  const file = await copied('npsp-data-import.csv', 'x.csv')
  const infer = ['import', id, file, '--infer']
  expect((await runAdmin('import', id, file, '--day-first')).stderr).toBe(
    '--day-first needs --infer.\n',
  )
  expect((await runAdmin(...infer, '--day-first', '--month-first')).stderr).toContain('not both')
  expect((await runAdmin(...infer, '--time-zone', 'Mars/Base')).stderr).toContain('Europe/London')
  expect((await runAdmin(...infer, '--collection', 'things')).stderr).toContain(
    'must be one of: members',
  )
  expect((await runAdmin(...infer, '--sheet', 'One')).stderr).toContain('is no workbook')
  const dayFirst = await runAdmin(...infer, '--dry-run', '--day-first')
  expect(dayFirst.stdout).toContain('is not a date if the day comes first.')
  expect(existsSync(join(folder, 'x.mapping.json'))).toBe(true)
})

test('schema infer prints a schemas.json that a strict import takes', async () => {
  const { id, import: load } = await newOrganisation(bindings)
  const { stdout } = await runAdmin('schema', 'infer', id, join(samples, 'charity-members.csv'))
  expect(JSON.parse(stdout).members.fields).toContainEqual({
    id: 'Interests',
    type: 'multipleSelect',
    options: ['Cooking', 'Crafts', 'Gardening', 'Music', 'Walking'],
  })
  expect(await load({ 'schemas.json': stdout })).toEqual({ 'schemas.json': 1 })
})

test('the page on importing names every option and every sample', async () => {
  const page = readFileSync('docs/importing.md', 'utf8')
  const command = adminProgram().commands.find((one) => one.name() === 'import')
  const asked = command?.options.filter(({ description }) => description.startsWith('with --infer'))
  expect(asked).not.toHaveLength(0)
  for (const { long } of asked ?? []) expect(page).toContain(`\`${long}`)
  for (const sample of await readdir(samples)) expect(page).toContain(`demo/exports/${sample})`)
})
