/**
 * Words of engineers, each with the sentence that explains it to an officer. Pages for officers have none of them, or
 * the sentence beside them. Without a sentence, a word is only for the parts marked `data-for="engineers"`.
 */
const engineerWords: readonly [word: RegExp, sentence?: string][] = [
  [/\bAPIs?\b/],
  [/\bcurl\b/i],
  [/\bterminal\b/i],
  [/\bJSON\b/],
  [/\bsnippets?\b/i],
  [/YOUR_KEY/],
  [/\bOData\b/, 'OData is how Excel reads'],
  [/\bbearer token\b/i],
  [/\bBasic authentication\b/i],
  [/\bcollections?\b/i],
  [/\bschemas?\b/i],
  [/\bwebhooks?\b/i, 'messages to another program'],
  [/\breceivers?\b/i],
  [/\bdemographics\.gender\b/],
  [/\bUnique id\b/i],
  [/\bTwo-way sync\b/i],
  // An address of a page has `?embed=1`.
  [/\bembed(?!=1)/i],
  [/#5b2a6e/i],
  [/\b[KM]iB\b/],
  [/\brecord ids?\b/i],
  [/\bId only\b/i],
  [/\bDerived from\b/i],
  [/\bDisbursements?\b(?!-)/i],
  [/\bGrantee id\b/i],
  [/\bDates, awarded\b/i],
  [/\bExternal, source\b/i],
  [/\bFrom open call\b/i],
  [/\bWindows-1252\b/i],
  [/\bSlot id\b/i],
  [/\bOrder id\b/i],
  [/\bTicket series\b/i],
  [/\bOccurrences?\b/i],
  [/\bFunder (member|programme) id\b/i],
  [/\bOutcome ids\b/i],
  [/\bVenue: venue id\b/i],
  [/\bChild event\b/i],
  [/\bEvent at booking\b/i],
  [/\bOur status\b/i],
  [/\bAttending\b/],
  [/\bAttended\b/],
  [/\bBookable\b/i],
  [/\bManaged by\b/i],
  [/(?<!people \()\b[LM]SOA\b/],
  [/\bForm requires login\b/i],
  [/\bindividual mode\b/i],
  [/\bspecial category data\b/i, 'ethnicity, religion'],
  [/\bcopies that follow the API\b/i],
]

/** The words of engineers in the text of a page for officers, without those whose sentence is there too. */
export const findEngineerWords = (text: string): string[] =>
  engineerWords.flatMap(([word, sentence]) => {
    const found = word.exec(text)
    if (!found || (sentence && text.includes(sentence))) return []
    return text.slice(Math.max(0, found.index - 30), found.index + found[0].length + 20)
  })
