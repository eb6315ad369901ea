import type { SharedDetail } from '../../model/properties/compare-people.ts'

const words: Readonly<Record<SharedDetail, string>> = {
  'name and birth date': 'the same name and birth date',
  email: 'the same e-mail address',
  phone: 'the same phone number',
}

/** The details that two people share, as the object of a sentence. */
export const describeShared = (same: readonly SharedDetail[]): string =>
  same.map((detail) => words[detail]).join(' and ')
