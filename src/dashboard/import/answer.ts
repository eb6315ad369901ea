import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'

/** A page that answers a step, and its status. */
export type StepResponse = {
  page: string | Promise<string>
  status: 200 | 400 | 409 | 413 | 503 | 500
}

/** Told how many rows are done, of how many if that is known. */
export type ReportProgress = (rows: number, total?: number) => void

const ndjson = 'application/x-ndjson'

/** Answers with the page that the work comes to; a script that asks for lines is told of the progress before, whatever the page's status. */
export async function respond(
  c: Context<DashboardEnv>,
  work: (progress: ReportProgress) => Promise<StepResponse>,
): Promise<Response> {
  if (c.req.header('Accept') !== ndjson) {
    const { page, status } = await work(() => {})
    return c.html(page, status)
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  const writeLine = (line: object) => writer.write(encoder.encode(`${JSON.stringify(line)}\n`))
  // Whoever has gone away misses what is said, and nothing else.
  const ignoreDisconnect = () => {}
  const writePage = async () => {
    const { page } = await work((rows, of) => void writeLine({ rows, of }).catch(ignoreDisconnect))
    await writeLine({ page: String(await page) })
      .then(() => writer.close())
      .catch(ignoreDisconnect)
  }
  c.var.goOn(writePage())
  return c.body(readable, 200, { 'Content-Type': ndjson })
}
