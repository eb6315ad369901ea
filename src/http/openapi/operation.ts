import type { Contract } from '../contract.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import { buildParameters } from './parameters.ts'
import { type BodyDescription, buildResponses } from './responses.ts'

/** An operation of the document, with its parameters, body and responses in full. */
export type Operation = {
  operationId: string
  summary: string
  description: string
  parameters: readonly { name: string }[]
  requestBody?: BodyDescription
  responses: Readonly<Record<string, BodyDescription>>
}

/** Returns the operation that a contract documents, and adds its named types to `schemas`. */
export async function buildOperation(contract: Contract, schemas: Record<string, JsonSchema>) {
  const { operationId, summary, description, isAddition } = contract
  const requestBody = buildRequestBody(contract, schemas)
  return {
    operationId,
    summary,
    description,
    ...(isAddition && { 'x-addition': true }),
    parameters: buildParameters(contract, schemas),
    ...(requestBody && { requestBody }),
    responses: await buildResponses(contract, schemas),
  } satisfies Operation
}

function buildRequestBody(
  { input, body = input?.type, file }: Contract,
  schemas: Record<string, JsonSchema>,
) {
  const mediaTypes = input?.mediaTypes ?? ['application/json']
  const types = file ?? (body && Object.fromEntries(mediaTypes.map((name) => [name, body])))
  return (
    types && {
      required: true,
      content: Object.fromEntries(
        Object.entries(types).map(([mediaType, type]) => [
          mediaType,
          { schema: toJsonSchema(type, 'input', schemas) },
        ]),
      ),
    }
  )
}
