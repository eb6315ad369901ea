import { Form } from './form.tsx'
import { Icon } from './icon.tsx'

type PersonSearchProps = { action: string; query?: string; isFocused?: boolean }

/** Renders a search form for people. */
export function PersonSearchForm({ action, query = '', isFocused }: PersonSearchProps) {
  return (
    <search>
      <Form method="get" action={action} class="toolbar">
        <div class="search">
          <Icon name="search" />
          <input
            id="find"
            type="search"
            name="q"
            value={query}
            required
            minlength={2}
            maxlength={100}
            autocomplete="off"
            autofocus={isFocused}
            aria-label="Find a person"
            placeholder="Name, e-mail, phone or postcode"
          />
        </div>
        <button type="submit" class="button">
          Find
        </button>
      </Form>
    </search>
  )
}
