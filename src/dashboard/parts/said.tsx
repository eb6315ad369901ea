/** What was just done, told to screen readers as well; nothing if nothing was. */
export function Said({ notice }: { notice?: string | undefined }) {
  return <div role="status">{notice && <p class="said">{notice}</p>}</div>
}
