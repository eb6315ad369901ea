import {
  keysOf,
  maxSharing,
  readOwnDetails,
  type SharedDetail,
  sharedDetails,
} from '../../model/properties/compare-people.ts'
import { findOwnFields } from '../../model/properties/own-details.ts'
import { personName } from '../../model/properties/person-name.ts'
import type { Field, Values } from '../../model/properties/schema.ts'
import type { LikelyDuplicate } from '../../records/search/duplicates.ts'
import { rejectionColumns } from '../rows/rejected-rows.ts'

/** A new person of a file who may be the same as one in an earlier row, or as a stored one. */
export type SimilarPerson = {
  line: number
  name: string
  same: readonly SharedDetail[]
  other: { line: number; name: string } | { id: string; name: string }
}

/** The stored people who may be the same as each of these. */
export type FindDuplicates = (people: readonly Values[]) => Promise<readonly LikelyDuplicate[][]>

/** The error for a row that may be about the same person as another, until somebody decides. */
export const undecidedPersonReason = `may be about somebody who is here already: import these rows in the dashboard and choose there. “new” in “${rejectionColumns.record}” adds a person.`

type NewPerson = { line: number; name: string; details: Values }

/** The people with a detail: the first of them, and how many there are. */
type Sharing = { first: NewPerson; count: number }

/** Collects the new people of a file, to find likely duplicates. */
export class SimilarPeople {
  readonly #fields: readonly Field[]
  readonly #own: ReturnType<typeof findOwnFields>
  readonly #people: NewPerson[] = []
  readonly #sharing = new Map<string, Sharing>()
  readonly #pairs: { person: NewPerson; detail: SharedDetail; sharing: Sharing }[] = []

  constructor(fields: readonly Field[]) {
    this.#fields = fields
    this.#own = findOwnFields(fields)
  }

  /**
   * Adds a new person; a person whom somebody called new is compared only with later ones. Keeps
   * only the details that are compared.
   */
  add(line: number, values: Values, isDecided: boolean): void {
    const ids = Object.values(this.#own).flatMap((fields) => fields.map(({ id }) => id))
    const details = Object.fromEntries(ids.map((id) => [id, values[id]]))
    const person = { line, name: personName(this.#fields, values), details }
    if (!isDecided) this.#people.push(person)
    const own = readOwnDetails(this.#own, details)
    for (const detail of sharedDetails)
      for (const text of keysOf[detail](own)) this.#compare(person, detail, text, isDecided)
  }

  /** The people who may be the same as others, the most similar first. */
  async list(find: FindDuplicates): Promise<SimilarPerson[]> {
    const stored =
      this.#people.length > 0 ? await find(this.#people.map(({ details }) => details)) : []
    const ofStored = this.#people.flatMap(({ line, name }, index): SimilarPerson[] =>
      (stored[index] ?? []).slice(0, 1).map(({ same, ...other }) => ({ line, name, same, other })),
    )
    const lines = new Set(ofStored.map(({ line }) => line))
    const pairs = this.#pairs.filter(
      ({ person, sharing }) => sharing.count <= maxSharing && !lines.has(person.line),
    )
    const ofFile = [...Map.groupBy(pairs, ({ person }) => person)].flatMap(
      ([{ line, name }, others]): SimilarPerson[] => {
        const first = others[0]?.sharing.first
        const same = others.filter(({ sharing }) => sharing.first === first)
        return first
          ? [
              {
                line,
                name,
                same: same.map(({ detail }) => detail),
                other: { line: first.line, name: first.name },
              },
            ]
          : []
      },
    )
    return [...ofStored, ...ofFile].toSorted(compareSimilarity)
  }

  #compare(person: NewPerson, detail: SharedDetail, text: string, isDecided: boolean): void {
    const key = `${detail} ${text}`
    const sharing = this.#sharing.get(key)
    if (!sharing) this.#sharing.set(key, { first: person, count: 1 })
    else {
      sharing.count++
      if (!isDecided) this.#pairs.push({ person, detail, sharing })
    }
  }
}

const compareSimilarity = (one: SimilarPerson, other: SimilarPerson) =>
  other.same.length - one.same.length ||
  strengthOf(one) - strengthOf(other) ||
  one.line - other.line

const strengthOf = ({ same: [strongest] }: SimilarPerson) =>
  strongest ? sharedDetails.indexOf(strongest) : sharedDetails.length
