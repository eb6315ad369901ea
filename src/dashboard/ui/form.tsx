import type { Child } from 'hono/jsx'

type HiddenValue = string | number | undefined

/** Values that a form sends besides its fields. A list is sent as several values of its name; undefined is not sent. */
export type HiddenValues = Readonly<Record<string, HiddenValue | readonly HiddenValue[]>>

/** The parameters of an address as values of a form. */
export const groupValues = (params: URLSearchParams): HiddenValues =>
  Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)]))

type FormProps = {
  /** The address that receives the form; by default that of the page. */
  action?: string
  /** `get` for searches and filters, which change nothing. */
  method?: 'get' | 'post'
  hidden?: HiddenValues
  class?: string | undefined
  attributes?: Readonly<Record<string, string | boolean | undefined>>
  children?: Child
}

/** Renders a form with its hidden inputs. */
export const Form = ({
  action,
  method = 'post',
  hidden = {},
  class: className,
  attributes,
  children,
}: FormProps) => (
  <form method={method} action={action} class={className} {...attributes}>
    <HiddenInputs values={hidden} />
    {children}
  </form>
)

const HiddenInputs = ({ values }: { values: HiddenValues }) => (
  <>
    {Object.entries(values).flatMap(([name, value]) =>
      [value]
        .flat()
        .filter((single) => single !== undefined)
        .map((single) => <input type="hidden" name={name} value={single} />),
    )}
  </>
)
