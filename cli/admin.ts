import { adminProgram } from './commands/program.ts'

await adminProgram().parseAsync()
