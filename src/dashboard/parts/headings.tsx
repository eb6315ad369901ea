/** The headings of a table's columns. */
export function Headings({ of }: { of: readonly string[] }) {
  return (
    <thead>
      <tr>
        {of.map((heading) => (
          <th scope="col">{heading}</th>
        ))}
      </tr>
    </thead>
  )
}
