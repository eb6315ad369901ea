import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Shuffles the files of each project by the seed, and starts with the command line, whose files take longest. A process
 * runs files of one project: when the next file is of another, vitest replaces it, which takes seconds.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config
    this.ctx.logger.log(`Running tests with seed "${sequence.seed}"`)
    const rank = ({ project, moduleId }: TestSpecification) => {
      const path = moduleId.slice(root.length)
      return project.name + createHash('sha256').update(`${sequence.seed} ${path}`).digest('hex')
    }
    return files
      .map((file) => ({ file, rank: rank(file) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .map(({ file }) => file)
  }
}
