import type { HonoRequest } from 'hono'
import { FieldGroups } from '../../http/field-groups.ts'
import { formParts, partText } from '../../http/multipart.ts'
import type { Source } from '../../import/read.ts'
import { received, type Upload } from '../../import/upload.ts'
import { ApiError } from '../../model/api-error.ts'

/** What a step of the conversation sends: the choices made so far, and the file, which is let go of when the step is answered. */
export type Form = {
  /** The step that is asked for. */
  step: string
  /** What a field says; '' where it says nothing. */
  one(name: string): string
  all(name: string): readonly string[]
  has(name: string): boolean
  /** The file, or the rows that were pasted. */
  source: Source | undefined
  pasted: string
  letGo(): void
}

/** How large a file may be: a workbook is unpacked in the memory of a Worker, of which others need some. */
export const mostOfFile = 20 << 20
const mostOfPasted = 1 << 20
const mostOfFields = 2 << 20

/** Takes in a step of somebody of an organisation. Throws 413 where the file or what was pasted is too long or there are too many fields, 503 while other files fill the memory. */
export async function formOf({ raw }: HonoRequest, organisationId: string): Promise<Form> {
  const fields = new FieldGroups<string>()
  let file: Upload | undefined
  let length = 0
  try {
    for await (const part of formParts(raw.body, raw.headers.get('Content-Type') ?? '')) {
      const { name, file: fileName } = part
      if (fileName !== undefined) {
        // Of several, the first that is one: a browser sends an empty one where none was chosen.
        if (fileName !== '' && name === 'file' && !file) {
          const about = { organisationId, name: fileName, maxBytes: mostOfFile }
          file = await received(part.bytes, about)
        }
        continue
      }
      const text = await partText(part.bytes, mostOfFields - length)
      length += name.length + text.length + 1
      if (length > mostOfFields) throw tooLong()
      fields.add(name, text)
    }
  } catch (error) {
    file?.letGo()
    throw error
  }
  const all = (name: string) => fields.byName.get(name) ?? []
  const one = (name: string) => all(name)[0] ?? ''
  const pasted = file ? '' : one('pasted')
  if (pasted.length > mostOfPasted) throw tooLong()
  return {
    step: one('step'),
    one,
    all,
    has: (name) => fields.byName.has(name),
    source: file ?? (pasted.trim() === '' ? undefined : pastedSource(pasted)),
    pasted,
    letGo: () => file?.letGo(),
  }
}

function pastedSource(text: string): Source {
  const bytes = new TextEncoder().encode(text)
  return {
    name: 'pasted',
    size: bytes.length,
    async *bytes() {
      yield bytes
    },
  }
}

const tooLong = () =>
  new ApiError('PAYLOAD_TOO_LARGE', 'So many rows cannot be pasted: save them as a file.')
