import { deployProgram } from './deployment/program.ts'

await deployProgram().parseAsync()
