import { fileSource } from '../../../cli/import/import-files.ts'
import { openTable } from '../../../src/import/rows/open-table.ts'
import { UnreadableFileError } from '../../../src/import/source/source.ts'

// node read-workbook.ts <file>: reads a workbook to its end, and prints how many rows it has or why it is not read.

const [file = ''] = process.argv.slice(2)

async function read(): Promise<{ rows: number } | { message: string }> {
  let rows = 0
  try {
    const table = await openTable(fileSource(file))
    for await (const _ of table.rows()) rows++
    return { rows }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    return { message: error.message }
  }
}

console.log(JSON.stringify(await read()))
