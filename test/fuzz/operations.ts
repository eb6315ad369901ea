import type { Schema } from '@cfworker/json-schema'
import { request } from '../organisation.ts'

/** An operation of the served document, with its place. */
export type Operation = {
  method: string
  template: string
  parameters: { name: string; in: string; schema: { type?: string; enum?: string[] } }[]
  requestBody?: object
  responses: Record<string, { content: Record<string, { schema: Schema }> }>
}

type Document = {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'template'>>>
  components: object
}

/** Every operation of the served OpenAPI document, and the components its schemas name. */
export async function documented(): Promise<{ operations: Operation[]; components: object }> {
  const { paths, components } = await (await request('/openapi.json')).json<Document>()
  const operations = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      template,
      method: method.toUpperCase(),
    })),
  )
  return { operations, components }
}
