import type { ListedKey } from '../../../admin/list-keys.ts'

/** A key's name with its first characters. */
export function KeyName({ apiKey: { name, prefix } }: { apiKey: ListedKey }) {
  return (
    <>
      <strong>{name}</strong> (<code>{prefix}…</code>)
    </>
  )
}
