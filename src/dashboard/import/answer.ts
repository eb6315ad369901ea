import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'

/** The page that a step responds with, and its status. */
export type StepResponse = {
  page: string | Promise<string>
  status: 200 | 400 | 409 | 413 | 503 | 500
}

/** Called with the number of rows done, and the total if known. */
export type ReportProgress = (rows: number, total?: number) => void

const ndjson = 'application/x-ndjson'

/** Responds with the resulting page. For a script that accepts NDJSON, streams progress lines first, always with status 200. */
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
  // A closed browser must not stop the import.
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
