import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import type { Env } from '../env.ts'
import { type Fault, faultsOf } from '../store/checked.ts'
import { ApiError } from './errors.ts'

/** What a route takes and gives: validated by `endpoint`, documented by `openApiDocument`. */
export type Contract<Query extends z.ZodType = z.ZodType> = {
  summary: string
  description: string
  /** What the path's parameters are, by name. */
  path?: Record<string, string>
  query: QueryContract<Query>
  /** What the headers are that it takes, by name. */
  headers?: Record<string, string>
  body?: z.ZodType
  answers: Record<number, z.ZodType>
}

/** The schema that validates a whole query, and the parameters it documents. */
export type QueryContract<Query extends z.ZodType = z.ZodType> = {
  schema: Query
  parameters: z.ZodObject
  /** What any other parameter does; without this, another parameter is refused. */
  others?: string
}

const contracts = new WeakMap<object, Contract>()

/** Middleware that lets a request pass if it fits the contract, and answers 400 with every fault named if not. */
export function endpoint<Query extends z.ZodType>(contract: Contract<Query>) {
  const validate = zValidator('query', contract.query.schema, (result) => {
    if (!result.success) throw new ApiError('BAD_REQUEST', sentence(faultsOf(result.error)))
  })
  contracts.set(validate, contract)
  return validate
}

/** The contract a mounted middleware enforces, if it is one of `endpoint`. */
export const contractOf = (middleware: MiddlewareHandler<Env> | object) => contracts.get(middleware)

/** Faults in one sentence each, named by their fields. */
export const sentence = (faults: readonly Fault[]) =>
  faults.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason)).join(' ')
