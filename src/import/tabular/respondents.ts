import { Unreadable } from '../read.ts'
import { type AskedForm, linkedBy } from './asked-forms.ts'
import type { Assigned } from './assign.ts'
import { usualName } from './called.ts'
import type { Place } from './places.ts'
import type { Survey } from './survey.ts'

/** The column that tells who answered a form: by their address or name, where that is asked. Throws Unreadable where there is no such column. */
export function respondents(
  { form, places }: { form?: AskedForm | undefined; places: readonly Place[] },
  headings: readonly string[],
  survey: Survey,
  match: readonly string[] = [],
): Assigned[] {
  const place = form && places.find(({ path }) => path === linkedBy(form))
  if (!place || match.length === 0) return []
  const [by, ...others] = match
  if ((by !== 'email' && by !== 'name') || others.length > 0) {
    throw new Unreadable(0, 'holds answers, whose people are found by email or by name.')
  }
  const usual = by === 'email' ? 'Email' : 'Full Name'
  const heading = headings.find((heading) => {
    const { filled = 0, emails = 0 } = survey.columns.get(heading) ?? {}
    return usualName(heading) === usual && filled > 0 && (by === 'name' || emails > 0)
  })
  if (heading !== undefined) return [{ heading, place, as: 'link', by }]
  throw new Unreadable(
    0,
    `has no column of ${by === 'email' ? 'e-mail addresses' : 'names'} to find people by.`,
  )
}
