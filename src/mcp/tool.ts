import * as z from 'zod'
import { invalidField, invalidInput } from '../model/api-error.ts'
import { collectionNames } from '../model/collection.ts'
import { messages, validate } from '../model/validation-error.ts'
import { once } from '../platform/once.ts'
import type { Store } from '../store/store.ts'

/** The organisation that a tool reads, and the address of the service. */
export type ToolContext = { store: Store; origin: string }

/** The result of a tool: the path of its source in the API, its data as JSON text, and sentences about it. */
export type ToolResult = { path: string; data: string; notes?: readonly string[] }

/** A tool as `tools/list` shows it, and its function. */
export type Tool = {
  name: string
  title: string
  description: string
  inputSchema: () => object
  /** The result. Throws 400 for invalid input. */
  run: (context: ToolContext, input: unknown) => Promise<ToolResult>
}

/** A tool that validates its input. */
export function defineTool<Input extends z.ZodObject>({
  input,
  run,
  ...tool
}: Pick<Tool, 'name' | 'title' | 'description'> & {
  input: Input
  run: (context: ToolContext, input: z.output<Input>) => Promise<ToolResult>
}): Tool {
  return {
    ...tool,
    inputSchema: once(() => z.toJSONSchema(input, { io: 'input' })),
    async run(context, argument) {
      const result = validate(input, argument)
      if ('errors' in result) throw invalidInput(result.errors)
      return run(context, result.value)
    },
  }
}

/** The collection to read. `requireVisible` checks it, because its message depends on the key. */
export const collectionInput = z
  .string(messages.text)
  .max(64)
  .meta({ enum: collectionNames, description: 'The collection, as `describe` lists it.' })

/** Throws 400 with the visible collections if a key cannot read this one. */
export function requireVisible({ policy }: Store, collection: string): void {
  const visible = collectionNames.filter((name) => policy.allowsCollection(name))
  if (!visible.includes(collection))
    throw invalidField('collection', 'not_allowed', messages.oneOf(visible))
}
