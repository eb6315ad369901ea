import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { collectionNames } from '../../../src/model/collection.ts'
import type { Reading } from './reading.ts'
import { run } from './served.ts'

type Env = NodeJS.ProcessEnv & { API_URL: string; API_KEY: string }

const types = z.enum(['text', 'number', 'boolean', 'date', 'time', 'list'])
const Readings = z.record(
  z.string(),
  z.object({
    rows: z.array(z.record(z.string(), z.unknown())),
    types: z.record(z.string(), types),
  }),
)

const pythonProgram = `
import collection, datetime, json, sys
names = {str: "text", int: "number", float: "number", bool: "boolean", list: "list",
         datetime.date: "date", datetime.datetime: "time"}
def cell(value):
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, datetime.date) else value
def reading(rows):
    types = {name: {names[type(row[name])] for row in rows if row[name] is not None} for name in rows[0]}
    return {
        "rows": [{name: cell(value) for name, value in row.items()} for row in rows],
        "types": {name: "|".join(types[name]) for name in types if types[name]},
    }
print(json.dumps({name: reading(collection.read(name)) for name in sys.argv[1:]}))
`

/** Reads collections with examples/python/collection.py. */
export const readWithPython = async (collections: string[], env: Env) =>
  // -B writes no compiled file next to the example.
  readOutput('python3', ['-B', '-c', pythonProgram, ...collections], 'examples/python', env)

const rProgram = `
source("collection.R")
names <- c(character = "text", integer = "number", numeric = "number", logical = "boolean",
           list = "list", Date = "date", POSIXct = "time")
cell <- function(value) {
  if (inherits(value, "POSIXct")) format(value, "%Y-%m-%dT%H:%M:%OS3Z", tz = "UTC")
  else if (inherits(value, "Date")) format(value)
  else if (is.list(value)) lapply(value, \\(each) if (is.character(each)) I(each) else each)
  else value
}
reading <- function(table) {
  filled <- Filter(\\(column) is.list(column) || !all(is.na(column)), as.list(table))
  columns <- lapply(as.list(table), cell)
  rows <- lapply(seq_len(nrow(table)), \\(row) lapply(columns, \\(column) column[[row]]))
  list(rows = rows, types = lapply(filled, \\(column) names[[class(column)[1]]]))
}
collections <- commandArgs(trailingOnly = TRUE)
readings <- setNames(lapply(collections, \\(name) reading(read_collection(name))), collections)
cat(jsonlite::toJSON(readings, auto_unbox = TRUE, null = "null", na = "null", digits = NA))
`

/** Reads collections with examples/r/collection.R. */
export const readWithR = async (collections: string[], env: Env) =>
  readOutput('Rscript', ['-e', rProgram, ...collections], 'examples/r', env)

async function readOutput(
  program: string,
  args: string[],
  cwd: string,
  env: Env,
): Promise<Record<string, Reading>> {
  const { stdout } = await run(program, args, { cwd, env, maxBuffer: 100_000_000 })
  return Readings.parse(JSON.parse(stdout))
}

const pythonPackageProgram = `
import datetime, json, package, sys
def value(cell):
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return cell.isoformat() if isinstance(cell, datetime.date) else cell
tables = package.read(sys.argv[1])
print(json.dumps({name: [{key: value(cell) for key, cell in row.items()} for row in rows] for name, rows in tables.items()}))
`

/** Reads a package with examples/python/package.py. */
export async function readPackageWithPython(file: string): Promise<unknown> {
  const { stdout } = await run('python3', ['-B', '-c', pythonPackageProgram, file], {
    cwd: 'examples/python',
    maxBuffer: 100_000_000,
  })
  return JSON.parse(stdout)
}

const rPackageProgram = `
source("package.R")
tables <- read_package(commandArgs(trailingOnly = TRUE))
cat(jsonlite::toJSON(lapply(tables, nrow), auto_unbox = TRUE))
`

/** The numbers of rows in a package's folder, read with examples/r/package.R. */
export async function countPackageRowsWithR(folder: string): Promise<unknown> {
  const { stdout } = await run('Rscript', ['-e', rPackageProgram, folder], { cwd: 'examples/r' })
  return JSON.parse(stdout)
}

/** The numbers of rows in a package's folder, read with examples/duckdb/package.sql. */
export async function countPackageRowsWithDuckDb(folder: string): Promise<unknown> {
  const counts = collectionNames.map((name) => {
    const table = name.replaceAll('-', '_')
    return `(SELECT count(*) FROM ${table}) AS ${table}`
  })
  const sql = await readFile('examples/duckdb/package.sql', 'utf8')
  const { stdout } = await run('duckdb', ['-json', '-c', `${sql} SELECT ${counts.join()};`], {
    cwd: folder,
  })
  const [row] = z.array(z.record(z.string(), z.number())).parse(JSON.parse(stdout))
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([table, count]) => [table.replaceAll('_', '-'), count]),
  )
}
