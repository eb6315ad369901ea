import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'

/** A page that answers a step, and its status. */
export type Answer = { page: string | Promise<string>; status: 200 | 400 | 409 | 413 | 503 | 500 }

/** Told how many rows are done, of how many if that is known. */
export type Progress = (rows: number, of?: number) => void

const lines = 'application/x-ndjson'

/** Answers with the page that the work comes to; a script that asks for lines is told of the progress before, whatever the page's status. */
export async function answered(
  c: Context<DashboardEnv>,
  work: (progress: Progress) => Promise<Answer>,
): Promise<Response> {
  if (c.req.header('Accept') !== lines) {
    const { page, status } = await work(() => {})
    return c.html(page, status)
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  const send = (line: object) => writer.write(encoder.encode(`${JSON.stringify(line)}\n`))
  // Whoever has gone away misses what is said, and nothing else.
  const gone = () => {}
  const done = async () => {
    const { page } = await work((rows, of) => void send({ rows, of }).catch(gone))
    await send({ page: String(await page) })
      .then(() => writer.close())
      .catch(gone)
  }
  c.var.goOn(done())
  return c.body(readable, 200, { 'Content-Type': lines })
}
