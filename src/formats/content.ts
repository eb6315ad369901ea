/** The content of a response. The page memory keeps a list page, and needs the number of its records. */
export type Content = {
  body: string | ReadableStream
  headers: Record<string, string>
  list?: { collection: string; records: number }
}
