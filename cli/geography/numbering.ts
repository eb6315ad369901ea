import { areas } from '../../src/geography/areas.ts'
import type { Coverage } from './coverage.ts'
import type { Generation } from './generation.ts'
import type { AreaNames } from './names.ts'

const placeholder = /^[EWSNLM]99999999$/
const unparished = /^E43/
const crownDependency = /^[LM]/

const kindIndex = (key: string) => areas.findIndex((area) => area.key === key)
const country = kindIndex('country')
const parish = kindIndex('parish')

/** Numbers the areas of a directory and their combinations, and adds new ones to the generation. */
export class Numbering {
  readonly #names: AreaNames
  readonly #generation: Generation
  readonly #areas = areas.map(() => new Map<string, number | null>())
  readonly #combinations = new Map<string, number>()
  #lastArea = 0

  constructor(names: AreaNames, generation: Generation) {
    this.#names = names
    this.#generation = generation
  }

  /** The number of a combination of codes. For crown dependencies, only the country counts. */
  combination(codes: readonly string[]): number {
    const key = codes.join()
    const existing = this.#combinations.get(key)
    if (existing !== undefined) return existing
    const number = this.#combinations.size
    this.#combinations.set(key, number)
    const isCountryOnly = crownDependency.test(codes[country] ?? '')
    const numbers = codes.map((code, kind) =>
      isCountryOnly && kind !== country ? null : this.#area(kind, code),
    )
    this.#generation.add('combinations', [number, ...numbers])
    return number
  }

  isArea = (key: string, codes: readonly string[]) =>
    this.#area(kindIndex(key), codes[kindIndex(key)] ?? '') !== null

  isCrownDependency = (codes: readonly string[]) => crownDependency.test(codes[country] ?? '')

  /** Counts the codes of each kind of area, and the ones without a name. */
  codes(): Coverage['codes'] {
    const counts = areas.map(({ key }, kind) => {
      const codes = [...(this.#areas[kind] ?? [])].flatMap(([code, id]) => (id ? [code] : []))
      const unnamed = codes.filter((code) => !this.#names[kind]?.has(code))
      return [key, { codes: codes.length, unnamed: unnamed.length }] as const
    })
    return Object.fromEntries(counts)
  }

  #area(kind: number, code: string): number | null {
    const existing = this.#areas[kind]?.get(code)
    if (existing !== undefined) return existing
    const name = this.#names[kind]?.get(code) ?? null
    const number = isNoArea(kind, code, name) ? null : ++this.#lastArea
    this.#areas[kind]?.set(code, number)
    if (number !== null) {
      this.#generation.add('areas', [number, areas[kind]?.key ?? null, code, name])
    }
    return number
  }
}

const isNoArea = (kind: number, code: string, name: string | null) =>
  code.trim() === '' ||
  placeholder.test(code) ||
  name?.startsWith('(pseudo)') === true ||
  (kind === parish && unparished.test(code))
