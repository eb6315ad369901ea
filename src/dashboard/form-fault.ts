import type * as z from 'zod'
import { faultsOf, sentence } from '../model/checked.ts'

/** What is wrong with a form, its fields named by their labels. */
export const faultOf = (error: z.ZodError) =>
  sentence(faultsOf(error).map((fault) => ({ ...fault, field: capitalised(fault.field) })))

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
