/** The text of a JSON object whose values are JSON text already, in the order given. */
export function envelope(members: Record<string, string>): string {
  const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  return `{${texts.join(',')}}`
}

/** The text of a JSON array of texts that are JSON already. */
export const jsonArray = (items: readonly string[]) => `[${items.join(',')}]`

/** The answer 200 with a body that is JSON text already. */
export const json = (text: string) =>
  new Response(text, { headers: { 'Content-Type': 'application/json' } })
