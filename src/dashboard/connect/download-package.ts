import type { Context } from 'hono'
import { buildDataPackage } from '../../admin/data-package.ts'
import { contentDisposition } from '../../formats/download.ts'
import { createErrorLogger } from '../../formats/stream.ts'
import { createZip } from '../../formats/zip.ts'
import { recordFullExport } from '../../store/audit-log.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** Streams all records as a package for other programs, after an entry in the audit log. */
export async function downloadPackage(c: Context<DashboardEnv>): Promise<Response> {
  const { store } = c.var
  await recordFullExport(store)
  return new Response(createZip(buildDataPackage(store), createErrorLogger(c)), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': contentDisposition(c, 'data-package', 'zip'),
    },
  })
}
