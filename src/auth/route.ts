import { routeBuilder } from '../http/contract.ts'
import type { Env } from './env.ts'

/** Builds a route behind `authenticate` from its contract and its handler. */
export const route = routeBuilder<Env>()
