/** A search form for people. */
export function PersonSearchForm({ action, query = '' }: { action: string; query?: string }) {
  return (
    <search>
      <form method="get" action={action} class="find">
        <label for="find">Find a person</label>
        <div class="row">
          <input
            id="find"
            type="search"
            name="q"
            value={query}
            required
            minlength={2}
            maxlength={100}
            autocomplete="off"
            aria-describedby="find-help"
          />
          <button type="submit">Find</button>
        </div>
        <small id="find-help">
          Part of a name, or the start of an e-mail address, phone number, postcode or id
        </small>
      </form>
    </search>
  )
}
