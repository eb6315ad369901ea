/** A record's values by property, or a person's by field id. */
export type ShownValues = Readonly<Record<string, unknown>>

/** Finds the title of a record that the page has loaded. */
export type FindLinked = (collection: string, id: string) => { title: string } | undefined

/** All that pages say about a collection, except its form (`records/form/tasks.ts`), which needs the descriptions of others. What a collection does not mention follows from its contract. */
export type CollectionPages = {
  /** The title of a record without a property `name` or `title`, in two parts: its name and a detail. Without a name, it is called by its collection, such as "Booking". */
  title?(values: ShownValues, findLinked?: FindLinked): readonly [name: unknown, detail: unknown]
  /** How a record appears among others to choose from: its title, a distinguishing detail, and the property with its start. */
  choice?: {
    title?: string
    detail?: (values: ShownValues, isSeries: boolean) => string
    startsAt?: string
  }
  /** The parameter of a new record's page that links it to a record of this collection, such as `?member=`. */
  linkParameter?: string
  /** The usual grouping and date of reports. */
  report?: { by?: string; date?: string }
} & (
  | { isPeople: true }
  | {
      isPeople?: never
      /** The columns that a list begins with. */
      columns: readonly string[]
      /** The date by which a list begins with its newest records; by default it is in the order of names. */
      newestBy?: string
      /** The properties that a search looks at. */
      searched: readonly string[]
      /** The fields that the filter panel begins with. */
      filters: readonly string[]
      /** The properties that only past dates can have. */
      pastDates?: readonly string[]
      /** The labels of properties that people call by another name than the contract. */
      labels: Readonly<Record<string, string>>
    }
)
