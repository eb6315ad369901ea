import type { HonoRequest } from 'hono'
import { FieldGroups } from '../../../http/body.ts'
import { readParts, readPartText } from '../../../http/multipart.ts'
import { type Source, textSource } from '../../../import/source/source.ts'
import { receiveUpload, type Upload } from '../../../import/source/upload.ts'
import { ApiError } from '../../../model/api-error.ts'

/** The submitted form of a step, with the choices so far and the file. Callers must call `release` after the response. */
export type ImportForm = {
  /** The requested step. */
  step: string
  /** A field's first value, or ''. */
  get(name: string): string
  getAll(name: string): readonly string[]
  has(name: string): boolean
  /** The names of all fields. */
  names: readonly string[]
  /** The file or the pasted rows. */
  source: Source | undefined
  pasted: string
  release(): void
}

/** The maximum size of a file. A workbook is unpacked in the Worker's memory, which other requests share. */
export const maxFormFileBytes = 20 << 20
const maxPastedLength = 1 << 20
const maxFieldsLength = 2 << 20

/** Reads the form of a step. Throws 413 if a file, the pasted text or the form is too large, and 503 while other files fill the memory. */
export async function readImportForm(
  { raw }: HonoRequest,
  organisationId: string,
): Promise<ImportForm> {
  const fields = new FieldGroups<string>()
  let file: Upload | undefined
  let length = 0
  try {
    for await (const part of readParts(raw.body, raw.headers.get('Content-Type') ?? '')) {
      const { name, file: fileName } = part
      if (fileName !== undefined) {
        // Browsers send an empty file if the user chose none.
        if (fileName !== '' && name === 'file' && !file) {
          const options = { organisationId, name: fileName, maxBytes: maxFormFileBytes }
          file = await receiveUpload(part.bytes, options)
        }
        continue
      }
      const text = await readPartText(part.bytes, maxFieldsLength - length)
      length += name.length + text.length + 1
      if (length > maxFieldsLength) throw pastedTooLong()
      fields.add(name, text)
    }
  } catch (error) {
    file?.release()
    throw error
  }
  const getAll = (name: string) => fields.byName.get(name) ?? []
  const get = (name: string) => getAll(name)[0] ?? ''
  const pasted = file ? '' : get('pasted')
  if (pasted.length > maxPastedLength) throw pastedTooLong()
  return {
    step: get('step'),
    get,
    getAll,
    has: (name) => fields.byName.has(name),
    names: [...fields.byName.keys()],
    source: file ?? (pasted.trim() === '' ? undefined : textSource('pasted', pasted)),
    pasted,
    release: () => file?.release(),
  }
}

const pastedTooLong = () =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    'There are too many rows to paste. Save them as a file instead.',
  )
