import { nameFields } from '../../model/properties/person-name.ts'
import type { Schema } from '../../model/properties/schema.ts'
import { personRules } from '../../records/person-rules.ts'
import { buildMember, memberValues } from '../../sign-up/register/new-member.ts'
import type { NewDocument } from '../../store/write/put.ts'
import type { NamedMembers } from '../destination/destination.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { foldText } from '../parse/text.ts'
import type { ConvertedRow } from './convert-row.ts'
import type { RowAnswers } from './row-answers.ts'

/** Where an import of bookings adds the people who are no members yet. */
export type MemberDestination = { destination: NamedMembers; schema: Schema }

/** A booked person with the name of stored members: nobody knows yet whether they are the same. */
export type UnclearMember = { line: number; name: string; members: { id: string; name: string }[] }

const maxNamesakes = 3

/**
 * Adds the people of a sign-in sheet as members, once each, and links their bookings. A person who
 * did not come, or who has the name of a member, is only added if somebody decides so.
 */
export class NewMembers {
  added = 0
  readonly unclear: UnclearMember[] = []
  readonly #destination: NamedMembers
  readonly #schema: Schema
  readonly #answers: RowAnswers['members']
  readonly #writes: boolean
  /** Whether a person with the name of one member is that member. */
  readonly #matchesNames: boolean
  /** The heading of the column that identifies members. */
  readonly #heading: string | undefined
  readonly #ids = new Map<string, string>()

  constructor(
    { destination, schema }: MemberDestination,
    mapping: Mapping,
    { answers, writes }: { answers: RowAnswers; writes: boolean },
  ) {
    this.#destination = destination
    this.#schema = schema
    this.#answers = answers.members
    this.#writes = writes
    this.#matchesNames = mapping.ticks?.matchesNames === true
    this.#heading = mapping.columns.find(({ field }) => field === 'memberId')?.heading
  }

  /** Sets the members of bookings without one. */
  async link(rows: readonly ConvertedRow[]): Promise<void> {
    // In a sheet of ticks, the rows of a line are the days of one person.
    const cameOnce = new Set(rows.filter(({ values }) => didCome(values)).map(({ line }) => line))
    const strangers = rows.filter(
      ({ line, values, errors }) =>
        errors.length === 0 &&
        !values.get('memberId') &&
        (this.#matchesNames || cameOnce.has(line)) &&
        keyOf(readPerson(values)) !== '',
    )
    const namesakes = await this.#findNamesakes(strangers)
    const documents: NewDocument[] = []
    for (const row of strangers) {
      const person = readPerson(row.values)
      const sameName = namesakes.get(foldText(person.name)) ?? []
      const [only, ...others] = this.#matchesNames ? sameName : []
      const answer = this.#answers.get(row.line) ?? (others.length === 0 ? only?.id : undefined)
      const isNew = answer === 'new' || (answer === undefined && sameName.length === 0)
      const isUnclear = answer === undefined && sameName.length > 0
      if ((isNew || isUnclear) && !cameOnce.has(row.line)) continue
      if (isUnclear) this.#ask(row, person.name, sameName)
      const id = isNew ? this.#add(person, documents) : answer
      if (id === undefined) continue
      row.values.set('memberId', id)
      row.warnings = row.warnings.filter(({ column }) => column !== this.#heading)
    }
    if (this.#writes && documents.length > 0)
      await this.#destination.write(personRules('members', this.#schema), documents, [])
  }

  /** The id of a new member, the same for each row of the person. */
  #add(person: Person, documents: NewDocument[]): string | undefined {
    const key = keyOf(person)
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const member = buildMember(memberValues(this.#schema, { ...person, answers: undefined }))
    if (!member) return undefined
    this.#ids.set(key, member.id)
    documents.push(member)
    this.added++
    return member.id
  }

  #ask({ line }: ConvertedRow, name: string, members: UnclearMember['members']): void {
    if (this.unclear.at(-1)?.line !== line)
      this.unclear.push({ line, name, members: members.slice(0, maxNamesakes) })
  }

  /** The members with the names of these rows, by folded name. */
  async #findNamesakes(
    rows: readonly ConvertedRow[],
  ): Promise<Map<string, UnclearMember['members']>> {
    const [field, ...others] = nameFields(this.#schema.fields)
    const found = new Map<string, UnclearMember['members']>()
    // Of a name in two fields, the surname finds the members to compare.
    const nameField = others.at(-1) ?? field
    const names = new Map(
      rows.map(({ values }) => [foldText(readPerson(values).name), readPerson(values).name]),
    )
    names.delete('')
    if (!nameField || names.size === 0) return found
    const texts = others.length > 0 ? [...names.values()].map(lastWord) : [...names.values()]
    const idsByText = await this.#destination.findNames(nameField.id, texts)
    const ids = [...new Set([...idsByText.values()].flat())]
    for (const [id, document] of await this.#destination.readDocuments('members', ids)) {
      const values: Record<string, unknown> = JSON.parse(document)
      const name = [field, ...others]
        .flatMap((one) => (one ? textOf(values[one.id]) : []))
        .join(' ')
      const key = foldText(name)
      if (names.has(key)) found.set(key, [...(found.get(key) ?? []), { id, name }])
    }
    return found
  }
}

/** Whether a booked person came; everybody did in a file without a column that says so. */
export function didCome(values: ConvertedRow['values']): boolean {
  const attending = values.get('attending')
  return attending === undefined || attending === true
}

type Person = { name: string; email: string }

const readPerson = (values: ConvertedRow['values']): Person => ({
  name: textOf(values.get('userName')).join(''),
  email: textOf(values.get('userEmail')).join(''),
})

const keyOf = ({ name, email }: Person) => foldText(email === '' ? name : email)

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? [value] : [])

const lastWord = (name: string) => name.trim().split(/\s+/).at(-1) ?? ''
