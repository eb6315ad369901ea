import { describe, expect, test } from 'vitest'
import { taking } from './importing.ts'

const members = (rows: string) => `Ref,Name,Email,Born,Consent\n${rows}`

describe('people', () => {
  test('are new, then unchanged, then changed where the file says so and nowhere else', async () => {
    const { take, kept } = await taking()
    const text = members('A1,Ann,ann@b.org,31/12/1960,Yes\nA2,Bo,bo@b.org,01/02/1970,No\n')
    expect((await take(text)).counts).toEqual([2, 2, 0, 0, 0])
    expect((await take(text)).counts).toEqual([2, 0, 0, 2, 0])
    const next = 'Ref,Email,Consent\nA1,ann@new.org,\nA2,bo@b.org,No\nA3,cy@b.org,Yes\n'
    const { counts, outcome } = await take(next)
    expect(counts).toEqual([3, 1, 1, 1, 0])
    expect(outcome.changes).toEqual([
      { field: 'Email', records: 1 },
      { field: 'Consent', records: 1 },
    ])
    expect(await kept('members', 'A1')).toEqual({
      memberId: 'A1',
      Ref: 'A1',
      'Full Name': 'Ann',
      Email: 'ann@new.org',
      Born: '1960-12-31',
      $answered: { Consent: expect.any(String) },
    })
  })

  test('fill the fields of their contact details under other headings', async () => {
    const { take, kept, schema } = await taking()
    const text = 'text'
    const fields = [
      ...[
        ['Ref', text],
        ['E-Mail', 'email'],
        ['Contact number', 'phone'],
        ['Mobile', 'phone'],
      ],
      ...[
        ['Known as', text],
        ['Surname at birth', text],
        ['Mothers name', text],
      ],
      ...[
        ['DOB', 'date'],
        ['Post Code 2', text],
      ],
    ]
    await schema(
      'members',
      fields.map(([id = '', type], order) => ({ id, name: id, label: id, type, order })),
    )
    await take(
      "Ref,emailaddress,Tel (home),WhatsApp,Preferred name,Maiden name,Mother's full name,Birth date,Zip\n" +
        'A1,ann@b.org,0113 496 0000,07700 900123,Annie,Abara,Zoë,31/12/1960,LS11 0ES\n',
    )
    expect(await kept('members', 'A1')).toMatchObject({
      'E-Mail': 'ann@b.org',
      'Contact number': '0113 496 0000',
      Mobile: '07700 900123',
      'Known as': 'Annie',
      'Surname at birth': 'Abara',
      'Mothers name': 'Zoë',
      DOB: '1960-12-31',
      'Post Code 2': 'LS11 0ES',
    })
  })

  test('have a second e-mail address in its own field, even before the first', async () => {
    const { take, kept } = await taking()
    await take('Ref,Email2,Email\nA1,second@b.org,first@b.org\n')
    expect(await kept('members', 'A1')).toMatchObject({
      Email: 'first@b.org',
      Email2: 'second@b.org',
    })
  })

  test('are only counted on a dry run', async () => {
    const { take, kept } = await taking()
    const { counts } = await take(members('A1,Ann,ann@b.org,31/12/1960,Yes\n'), { writes: false })
    expect(counts).toEqual([1, 1, 0, 0, 0])
    expect(await kept('members', 'A1')).toBeUndefined()
  })

  test('with errors are left out, each told once with its column; the others are kept', async () => {
    const { take, kept } = await taking()
    await take(members('A1,Ann,ann@b.org,31/12/1960,Yes\n'))
    const { counts, outcome, refused } = await take(
      members(
        'A1,Ann,ann@,31/02/1960,perhaps\nA2,Bo,bo@b.org,,No\nA2,Bo,b2@b.org,,No\n,Cy,cy@b.org,,\nA4,Di,#REF!,1/2/60,unknown,x\n',
      ),
      { mappingOptions: { id: 'Ref' } },
    )
    expect(counts).toEqual([5, 1, 0, 0, 4])
    expect(refused).toEqual([
      [
        2,
        'Born is not a date, such as 31/12/2025 or 2025-12-31.',
        'Consent must be yes or no.',
        'Email must be one email address.',
      ],
      [4, 'Ref is already used on an earlier line.'],
      [5, 'Ref has no value, and a record needs an id.'],
      [6, expect.stringContaining('has more cells'), 'Email is a spreadsheet error, not a value.'],
    ])
    expect(outcome.errors.find(({ column }) => column === 'Consent')).toEqual({
      column: 'Consent',
      message: 'must be yes or no.',
      code: 'invalid_boolean',
      count: 1,
      examples: [{ line: 2, value: 'perhaps' }],
    })
    expect(await kept('members', 'A1')).toMatchObject({ Email: 'ann@b.org' })
  })

  test('keep their numbers as ids if a row is repeated, with a warning', async () => {
    const { take } = await taking()
    const rows = Array.from({ length: 40 }, (_, at) => `A${at},Ann ${at},ann${at}@b.org,,Yes\n`)
    const { counts, refused, proposal } = await take(
      members(`${rows.join('')}A7,Ann 7,new@b.org,,No\n`),
    )
    expect(proposal.mapping.id).toEqual({ columns: ['Ref'], isMade: false })
    expect(counts).toEqual([41, 40, 0, 0, 1])
    expect(refused).toEqual([[42, 'Ref is already used on an earlier line.']])
  })

  test('without ids have one of what does not change, and no address in it', async () => {
    const { take, json } = await taking()
    const text =
      'First name;Surname;E-mail;Phone\nAnn;Abara;ann@b.org;0113 496 0000\nBo;Bevan;bo@b.org;01134960001\n'
    expect((await take(text)).counts).toEqual([2, 2, 0, 0, 0])
    const answer = await json<{ members: { memberId: string }[] }>(
      '/members?Full%20Name=Ann%20Abara',
    )
    expect(answer.members).toHaveLength(1)
    expect(answer.members[0]?.memberId).toMatch(/^[0-9a-f]{24}$/)
    const again = text.replace('ann@b.org', ' Ann@B.org').replace('0000', '0009')
    expect((await take(again)).counts).toEqual([2, 0, 1, 1, 0])
  })

  test('who have another id are found by address and name when that is asked, and only then', async () => {
    const { take } = await taking()
    await take(
      members(
        'A1,Ann,ann@b.org,31/12/1960,Yes\nA2,Bo,bo@b.org,01/02/1970,No\nA3,Bo,bo@b.org,01/02/1971,No\n',
      ),
    )
    const text = 'Email,Name,Consent\nAnn@b.org,ann,No\ncy@b.org,Cy,No\n'
    expect((await take(text, { writes: false })).counts).toEqual([2, 2, 0, 0, 0])
    const mappingOptions = { match: ['email', 'name'] }
    expect((await take(text, { mappingOptions, writes: false })).counts).toEqual([2, 1, 1, 0, 0])
    const { refused } = await take(`${text}bo@b.org,Bo,Yes\n`, { mappingOptions, writes: false })
    expect(refused).toEqual([[4, expect.stringContaining('is that of several stored people')]])
    await expect(take('Email,Consent\nann@b.org,No\n', { mappingOptions })).rejects.toThrow(
      'name is no field',
    )
  })

  test('are found however their address and name are spelt there and here', async () => {
    const { take, kept } = await taking()
    await take(
      members(
        [
          'A1,ZOË  O’Hara,Zoe@B.org,31/12/1960,Yes',
          'A2,Lukasz Nowak,lukasz@b.org,,Yes',
          'A3,Zoe O’Hara,other@b.org,,Yes',
          'A4,Łukasz Nowak,LUKASZ@b.org,,Yes\n',
        ].join('\n'),
      ),
    )
    const mappingOptions = { match: ['email', 'name'] }
    const found = await take("Email,Name,Consent\nZOE@b.org,zoe o'hara,No\n", { mappingOptions })
    expect(found.counts).toEqual([1, 0, 1, 0, 0])
    expect(await kept('members', 'A1')).toMatchObject({ Consent: false })
    const several = await take('Email,Name,Consent\nLukasz@b.org,łukasz nowak,No\n', {
      mappingOptions,
    })
    expect(several.refused).toEqual([
      [2, expect.stringContaining('is that of several stored people')],
    ])
    const byName = await take('Name,Consent\nzoé o’hara,No\n', {
      mappingOptions: { match: ['name'] },
    })
    expect(byName.refused).toEqual([
      [2, expect.stringContaining('is that of several stored people')],
    ])
  })

  test('may not have a number that another has', async () => {
    const { take } = await taking()
    await take('Membership Number,Member ID,Name\nM1,A1,Ann\nM2,A2,Bo\n')
    const { counts, refused } = await take(
      'Membership Number,Member ID,Name\nM2,A3,Cy\nM4,A4,Di\nM4,A5,Ed\nM2,A2,Bo\n',
      { mappingOptions: { id: 'Member ID' } },
    )
    expect(counts).toEqual([4, 1, 0, 1, 2])
    expect(refused).toEqual([
      [2, 'Membership Number is already used by another record.'],
      [4, 'Membership Number is the value of an earlier line, too.'],
    ])
  })

  test('keep to the schema there is: a column that it has no field for is left out, or added when that is asked', async () => {
    const { take, schema, kept } = await taking()
    await schema('members', [
      { id: 'name', name: 'Full Name', label: 'Full Name', type: 'text', order: 0 },
      { id: 'tel', name: 'Telephone', label: 'Telephone', type: 'phone', order: 1 },
      {
        id: 'gender',
        name: 'Gender',
        label: 'Gender',
        type: 'select',
        order: 2,
        options: [
          { value: 'w', label: 'Woman' },
          { value: 'm', label: 'Man' },
        ],
      },
    ])
    const text =
      'Contact ID,Forename,Last Name,Mobile,Sex,Shoe size\n7,Ann,Abara,07700900000,WOMAN,38\n8,Bo,Bevan,07700900001,other,40\n'
    const { proposal, refused } = await take(text)
    expect(refused).toEqual([[3, 'Sex is not one of w, m: correct it, or add it to the options.']])
    expect(await kept('members', '7')).toEqual({
      memberId: '7',
      name: 'Ann Abara',
      tel: '07700900000',
      gender: 'w',
    })
    expect(proposal.columns.at(-1)).toMatchObject({
      fields: [],
      proposed: { id: 'Shoe size', type: 'number' },
    })
    const added = await take(text, { mappingOptions: { addFields: true } })
    expect(added.counts).toEqual([2, 0, 1, 0, 1])
    expect(await kept('members', '7')).toMatchObject({ 'Shoe size': 38 })
  })

  test('may come in columns of any name', async () => {
    const { take, kept } = await taking()
    const { counts } = await take(
      'Ref,__proto__,constructor,limit,a.b,$x\nA1,1,2,3,4,5\nA2,1,2,3,4,5\n',
      { collection: 'members' },
    )
    expect(counts).toEqual([2, 2, 0, 0, 0])
    expect(Object.entries(await kept('members', 'A1'))).toEqual(
      expect.arrayContaining([
        ['__proto__', 1],
        ['constructor', 2],
        ['limit (2)', 3],
        ['ab', 4],
        ['x', 5],
      ]),
    )
  })
})

describe('records', () => {
  test('are linked by name, email or id, with a warning for missing records', async () => {
    const { take, kept } = await taking()
    await take(
      members(
        'A1,Ann,ann@b.org,31/12/1960,Yes\nA2,Bo,bo@b.org,01/02/1970,No\nA3,Bo,bo@b.org,01/02/1971,No\n',
      ),
    )
    const events =
      'Event ID,Event name,Event start,Event end,Venue\nE1,Open day,01/06/2025 10:00,2025-06-01T12:00:00Z,Hall\nE2,Tea,26/10/2025 01:30,,\nE3,Walk,25/12/2025,,\n'
    const { refused } = await take(events, { name: 'events.csv' })
    expect(refused).toEqual([[3, expect.stringContaining('occurs twice when the clocks go back')]])
    expect(await kept('events', 'E1')).toMatchObject({
      name: 'Open day',
      start: '2025-06-01T09:00:00.000Z',
      end: '2025-06-01T12:00:00.000Z',
      venue: { name: 'Hall' },
    })
    expect(await kept('events', 'E3')).toMatchObject({ start: '2025-12-25T00:00:00.000Z' })
    const bookings =
      'Attendee #,First Name,Surname,Email,Event Name,Checked In,Price\n1,Ann,Abara,ANN@b.org,Open day,Yes,£7.50\n2,Bo,Bevan,bo@b.org,Open day,,\n3,Cy,Carr,cy@b.org,Open day,No,0\n4,Di,Dhal,ann@b.org,Gala,No,0\n'
    const first = await take(bookings, { name: 'attendees.csv' })
    expect(first.counts).toEqual([4, 3, 0, 0, 1])
    expect(first.refused).toEqual([
      [5, 'Event Name is the name of none of the events: import these first, or correct it.'],
    ])
    expect(
      first.outcome.warnings.map(({ column, message, count }) => [column, message, count]),
    ).toEqual([
      ['Checked In', expect.stringContaining('stored as "no"'), 1],
      [
        'Email',
        'is the e-mail address of several of the members: the record is kept without the link.',
        1,
      ],
      [
        'Email',
        'is the e-mail address of none of the members: the record is kept without the link.',
        1,
      ],
    ])
    expect(await kept('bookings', '1')).toMatchObject({
      eventId: 'E1',
      memberId: 'A1',
      name: 'Open day',
      userName: 'Ann Abara',
      userEmail: 'ANN@b.org',
      attending: true,
      customPrice: 7.5,
    })
    expect((await take(bookings, { name: 'attendees.csv' })).counts).toEqual([4, 0, 0, 3, 1])
  })

  test.each([
    ['bookings', 'Event,Email,Attended\n', ['Open day,ann@b.org,Yes\n', 'Tea,ann@b.org,No\n']],
    ['bookings', 'Event,Client ID,Attended\n', ['Open day,A1,Yes\n', 'Tea,A1,No\n']],
    ['case-notes', 'Client ID,Notes\n', ['A1,Rang.\n', 'A1,Rang again.\n']],
    ['case-notes', 'Name,Email,Notes\n', ['Ann,ann@b.org,Rang.\n', 'Ann,ann@b.org,Met.\n']],
  ])('in %s of the same person are others in the next file: %s', async (collection, head, rows) => {
    const { take, all } = await taking()
    await take(members('A1,Ann,ann@b.org,31/12/1960,Yes\n'))
    await take('Event ID,Event name\nE1,Open day\nE2,Tea\n', { name: 'events.csv' })
    for (const row of [...rows, rows[0]]) await take(head + row, { collection })
    expect(await all(collection)).toHaveLength(2)
  })

  test('say what every one of them must have and no column gives', async () => {
    const { take } = await taking()
    const { proposal, outcome } = await take(
      'Grant ID,Amount awarded,Stage\nG1,"£1,000",Fully paid\nG2,£5,gone\n',
      { name: 'grants.csv' },
    )
    expect(outcome.errors).toEqual([
      expect.objectContaining({
        column: 'Stage',
        count: 1,
        message: expect.stringContaining('is not one of pending, '),
      }),
    ])
    expect(proposal.decisions).toEqual([expect.stringContaining('"Grant ID"')])
    const none = await take('Grant ID,Amount awarded\nG1,5\n', {
      name: 'grants.csv',
      writes: false,
    })
    expect(none.proposal.missing).toEqual([expect.objectContaining({ path: 'status' })])
  })

  test('of an unknown collection are not guessed', async () => {
    const { take } = await taking()
    await expect(take('Colour,Shape\nred,round\n', { name: 'things.csv' })).rejects.toThrow(
      'choose a collection',
    )
  })
})

describe('names with the surname first', () => {
  const file = 'Ref,Name\nR1,"SMITH, Jane"\nR2,"O\'BRIEN, Mary Ann"\nR3,Cher\n'
  const many = file.replace(
    'R3,Cher',
    Array.from({ length: 18 }, (_, at) => `S${at},"DOE, Jo"`).join('\n'),
  )

  test('become full names in order, with a decision', async () => {
    const { take, all } = await taking()
    const { proposal } = await take(many)
    expect(proposal.columns[1]).toMatchObject({
      decisions: ['Names such as "SMITH, Jane" are read with the first name first.'],
    })
    expect((await all('members')).slice(0, 2).map((member) => member['Full Name'])).toEqual([
      'Jane SMITH',
      "Mary Ann O'BRIEN",
    ])
  })

  test('fill the fields of first name and surname', async () => {
    const { take, all, schema } = await taking()
    const fields = ['First Name', 'Surname'].map((id) => ({
      ...{ id, name: id, label: id, type: 'text', order: 0 },
    }))
    await schema('members', fields)
    await take(many)
    expect((await all('members'))[0]).toMatchObject({ 'First Name': 'Jane', Surname: 'SMITH' })
  })

  test('are unchanged if most names of the column are not', async () => {
    const { take, all } = await taking()
    await take(file.replace('"O\'BRIEN, Mary Ann"', '"Acme Ltd"'))
    expect((await all('members'))[0]).toMatchObject({ 'Full Name': 'SMITH, Jane' })
  })
})

test('numbers that may have lost a leading zero are stored unchanged, with a note', async () => {
  const { take, all, schema } = await taking()
  const field = (id: string, type: string) => ({ id, name: id, label: id, type, order: 0 })
  await schema('members', [field('Phone', 'phone'), field('Card', 'text')])
  const { proposal, outcome } = await take(
    'Ref,Phone,Card\nR1,7700900123,00412\nR2,07700900124,413\nR3,+447700900125,00414\n',
  )
  expect(outcome.warnings).toMatchObject([
    {
      ...{ column: 'Phone', count: 1, examples: [{ line: 2, value: '7700900123' }] },
      message:
        'does not begin with 0, which a spreadsheet may have removed. It is stored unchanged.',
    },
  ])
  expect(proposal.columns.map(({ decisions }) => decisions.length)).toEqual([0, 0, 1])
  expect(proposal.columns[2]?.decisions).toEqual([
    'Some numbers begin with 0 and others are shorter: a spreadsheet may have removed a 0. They are stored unchanged.',
  ])
  expect((await all('members'))[0]).toMatchObject({ Phone: '7700900123', Card: '00412' })
})
