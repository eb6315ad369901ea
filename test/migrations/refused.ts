/** What a migration must not do: each with how its SQL looks once comments, texts and quoted names are out of it. */
const refused = [
  [/\bDROP\s+TABLE\b/i, 'drops a table'],
  [/\bALTER\s+TABLE\b.*\bDROP\b/is, 'drops a column'],
  [/\bALTER\s+TABLE\b.*\bRENAME\b/is, 'renames a table or a column'],
  [/\b__new_/i, 'rebuilds a table'],
  [/\bwritable_schema\b/i, 'rewrites the schema'],
] as const

/**
 * Why a statement of a migration is refused; undefined when it may be run. The Worker of the version
 * before serves until the new one is deployed, and must find what it reads; D1 fires triggers and
 * cascades while a table is rebuilt; dropped data is lost.
 */
export function refusal(statement: string): string | undefined {
  const [, does] = refused.find(([form]) => form.test(withoutTexts(statement))) ?? []
  return (
    does &&
    `This ${does}. Leave what is there, and put beside it what is new: ALTER TABLE … ADD COLUMN, CREATE TABLE, CREATE VIEW. The Worker of the version before still reads the old.`
  )
}

// A name that is quoted is a name whatever its quotes, and keeps what `__new_` is told by.
const withoutTexts = (sql: string) =>
  sql.replaceAll(
    /--[^\n]*|\/\*.*?(?:\*\/|$)|'(?:[^']|'')*'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]/gs,
    (_, ...names: (string | undefined)[]) => {
      const name = names.slice(0, 3).find((it) => it !== undefined)
      if (name === undefined) return ' '
      return /__new_/i.test(name) ? ' __new_ ' : ' x '
    },
  )
