/** What was just done, told to screen readers as well; nothing if nothing was. */
export function Notice({ message }: { message?: string | undefined }) {
  return <div role="status">{message && <p class="said">{message}</p>}</div>
}
