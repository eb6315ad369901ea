import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { ApiError } from '../../../model/api-error.ts'
import { describeCollection } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { recordPath } from '../../ui/paths.ts'
import { addTag, renderFieldChange, renderTagPage, saveFieldChange } from './change-pages.tsx'
import { deleteSelected, renderDeleteSelected } from './delete-selected.tsx'
import { readIds, type SubmittedFields } from './selection.ts'

/** Opens the form of an action on the selected records of a list, or downloads them. */
export async function openAction(c: Context<DashboardEnv>, name: string) {
  const input = await readInput(c, name)
  switch (input.fields.action) {
    case 'csv':
    case 'xlsx': {
      const { downloadList } = await import('../list/download.ts')
      return downloadList(c, input.collection, input.fields.action, readIds(input.fields))
    }
    case 'merge':
      return openMerge(c, input)
    case 'delete':
      return renderDeleteSelected(requireWrite(c, input))
    case 'field':
      return renderFieldChange(requireWrite(c, input))
    case 'tag':
      return renderTagPage(requireWrite(c, input))
    default:
      throw unknownAction()
  }
}

/** Applies an action to the selected records of a list. */
export async function applyAction(c: Context<DashboardEnv>, name: string) {
  const input = requireWrite(c, await readInput(c, name))
  switch (input.fields.action) {
    case 'delete':
      return deleteSelected(input)
    case 'field':
      return saveFieldChange(input)
    case 'tag':
      return addTag(input)
    default:
      throw unknownAction()
  }
}

type Input = Awaited<ReturnType<typeof readInput>>

async function readInput(c: Context<DashboardEnv>, name: string) {
  const [collection, fields] = await Promise.all([describeCollection(c, name), readFormBody(c.req)])
  return { c, collection, fields: fields as SubmittedFields }
}

function requireWrite(c: Context<DashboardEnv>, input: Input): Input {
  if (!can(c, 'write'))
    throw new ApiError('FORBIDDEN', 'Your role allows you to read records but not to change them.')
  return input
}

/** Opens the page that merges two people. */
function openMerge(c: Context<DashboardEnv>, { collection, fields }: Input) {
  const [first = '', second, ...others] = readIds(fields)
  if (second === undefined || others.length > 0)
    throw new ApiError('BAD_REQUEST', 'Select two people to merge.')
  const path = recordPath(c, collection.name, first)
  return c.redirect(`${path}/merge?${new URLSearchParams({ with: second })}`, 303)
}

const unknownAction = () =>
  new ApiError('BAD_REQUEST', 'action must be one of: csv, delete, field, merge, tag, xlsx.')
