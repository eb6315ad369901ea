import { fileSource } from '../../../cli/import/import-files.ts'
import { openTable } from '../../../src/import/rows/open-table.ts'
import { UnreadableFileError } from '../../../src/import/source/source.ts'

// node read-workbook.ts <file>…: reads each workbook to its end, and prints a line with how many rows it has or why it is not read.

async function read(file: string): Promise<{ rows: number } | { message: string }> {
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

for (const file of process.argv.slice(2)) console.log(JSON.stringify(await read(file)))
