import type { HonoRequest } from 'hono'
import { FieldGroups, readAtMost } from '../../http/body.ts'
import { PublicError } from '../../sign-up/public-error.ts'
import { texts } from '../../texts/texts.ts'

const defaultMaxBytes = 64 << 10

/** The values of a public form by the name of the control, at most 1,000. */
export class FormValues {
  readonly #values: ReadonlyMap<string, readonly string[]>

  constructor(values: ReadonlyMap<string, readonly string[]> = new Map()) {
    this.#values = values
  }

  /** The values of controls, of which several can have the same name. */
  static of(values: Iterable<readonly [name: string, value: string]>): FormValues {
    const fields = new FieldGroups<string>()
    for (const [name, value] of values) fields.add(name, value)
    return new FormValues(fields.byName)
  }

  /** The first value of a control, or ''. */
  raw(name: string): string {
    return (this.#values.get(name)?.[0] ?? '').replaceAll('\r\n', '\n')
  }

  /** The first value of a control without spaces around it, or ''. */
  text(name: string): string {
    return this.raw(name).trim()
  }

  /** Every value of a control that is not empty. */
  list(name: string): readonly string[] {
    return (this.#values.get(name) ?? []).filter((value) => value !== '')
  }

  /**
   * The day in the controls of a date field as `YYYY-MM-DD`, '' if all are empty, or their
   * texts, which are no day, if they cannot be one.
   */
  day(name: string): string {
    const texts = [...datePartNames].map((part) => this.text(`${name}.${part}`))
    const [day = '', month = '', year = ''] = texts
    if (texts.every((text) => text === '')) return ''
    if (!/^\d{1,2} \d{1,2} \d{4}$/.test(texts.join(' '))) return texts.join(' ')
    return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
  }

  /** The names and values of the controls that pass the test of their name. */
  entries(isIncluded: (name: string) => boolean): [string, string][] {
    return [...this.#values].flatMap(([name, values]) =>
      isIncluded(name) ? values.map((value): [string, string] => [name, value]) : [],
    )
  }

  /** The values with another value of a control. */
  with(name: string, value: string): FormValues {
    return new FormValues(new Map([...this.#values, [name, [value]]]))
  }

  /** The values with the names of some controls changed; undefined removes a control. */
  renamed(rename: (name: string) => string | undefined): FormValues {
    return new FormValues(
      new Map(
        [...this.#values].flatMap(([name, values]) => {
          const newName = rename(name)
          return newName === undefined ? [] : [[newName, values]]
        }),
      ),
    )
  }
}

/** The parts of a date field, one control for each. */
export const datePartNames = ['day', 'month', 'year'] as const

/**
 * Reads the values of a public form. Throws 415 for another media type, 413 over `maxBytes` or 1,000
 * values.
 */
export async function readFormValues(
  req: HonoRequest,
  maxBytes = defaultMaxBytes,
): Promise<FormValues> {
  const type = req.header('Content-Type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new PublicError('otherMediaType')
  const chunks = readAtMost(maxBytes, req.raw.body, texts.refusals.answersTooLong)
  const text = await new Blob(await Array.fromAsync(chunks)).text()
  return FormValues.of(new URLSearchParams(text))
}
