import type { Content } from './content.ts'
import type { FormatWriter, ListPage } from './list-page.ts'
import { createErrorLogger, createStream, type ResponseContext } from './stream.ts'

/** The pages of a list. Those after the first are read on demand. */
export type ListPages = { first: ListPage; following: AsyncIterable<ListPage> }

/**
 * Streams the pages of a list. Waits for the first text, so that its errors still become an error
 * response; a later error aborts the download.
 */
export async function downloadContent(
  c: ResponseContext,
  name: string,
  pages: ListPages,
  { extension, type, begin }: FormatWriter,
): Promise<Content> {
  const texts = writePages(pages, begin)
  const body = createStream(prependResult(await texts.next(), texts), createErrorLogger(c))
  return {
    body,
    headers: {
      ...pages.first.headers,
      'Content-Type': type,
      'Content-Disposition': contentDisposition(c, name, extension),
    },
  }
}

/** The `Content-Disposition` of a file named after the organisation, a label and the day. */
export function contentDisposition(c: ResponseContext, label: string, extension: string): string {
  const day = new Date().toISOString().slice(0, 10)
  const name = `${c.var.store.organisationId}-${label}-${day}`.replaceAll(/[^\w.-]/g, '-')
  return `attachment; filename="${name}.${extension}"`
}

async function* prependResult(
  firstResult: IteratorResult<string, void>,
  otherTexts: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  if (firstResult.done) return
  yield firstResult.value
  yield* otherTexts
}

async function* writePages(
  { first, following }: ListPages,
  begin: FormatWriter['begin'],
): AsyncGenerator<string, void> {
  const { head, rows } = begin(first)
  const text = head + rows(first)
  if (text !== '') yield text
  for await (const page of following) {
    const text = rows(page)
    if (text !== '') yield text
  }
}
