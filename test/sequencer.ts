import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { slow } from './slow-files.ts'

/**
 * Shuffles the files by the seed. The command line comes first, and of each project the slow files, so that no process
 * ends with a long one while the other has nothing to do. A process runs files of one project: when the next file is of
 * another, vitest replaces it, which takes seconds.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config
    this.ctx.logger.log(`Running tests with seed "${sequence.seed}"`)
    const slowFiles = new Set(globSync(slow, { cwd: root }))
    const rank = ({ project, moduleId }: TestSpecification) => {
      const path = moduleId.slice(root.length)
      const speed = slowFiles.has(path.slice(1)) ? 'slow' : 'usual'
      const hash = createHash('sha256').update(`${sequence.seed} ${path}`).digest('hex')
      return [project.name, speed, hash].join()
    }
    return files
      .map((file) => ({ file, rank: rank(file) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .map(({ file }) => file)
  }
}
