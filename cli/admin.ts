import { adminProgram } from './program.ts'

await adminProgram().parseAsync()
