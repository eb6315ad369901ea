/** A status message that screen readers announce. */
export function Notice({ message }: { message?: string | undefined }) {
  return <div role="status">{message && <p class="said">{message}</p>}</div>
}
