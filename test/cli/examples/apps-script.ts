import { readFile } from 'node:fs/promises'
import vm from 'node:vm'

type Answer = { status: number; headers: Record<string, string>; text: string }
type Trigger = { handler: string; hour: number }

/** A sheet: a cell has a value and a format. Its size is fixed until a script inserts rows or columns. */
class Sheet {
  rows = 3
  columns = 2
  cells: unknown[][] = []
  formats: string[][] = []
  getMaxRows = () => this.rows
  getMaxColumns = () => this.columns
  insertRowsAfter(after: number, number: number) {
    if (after === this.rows) this.rows += number
  }
  insertColumnsAfter(after: number, number: number) {
    if (after === this.columns) this.columns += number
  }
  clearContents() {
    this.cells = []
  }
  getRange(row: number, column: number, height: number, width: number) {
    if (
      height < 1 ||
      width < 1 ||
      row + height - 1 > this.rows ||
      column + width - 1 > this.columns
    )
      throw new Error('The range is outside the sheet.')
    const fill = (grid: unknown[][], value: (y: number, x: number) => unknown) => {
      for (let y = 0; y < height; y++) {
        grid[row - 1 + y] ??= []
        for (let x = 0; x < width; x++) (grid[row - 1 + y] ?? [])[column - 1 + x] = value(y, x)
      }
    }
    const range = {
      setNumberFormat: (format: string) => {
        fill(this.formats, () => format)
        return range
      },
      setValues: (values: unknown[][]) => {
        if (values.length !== height || values.some((cells) => cells.length !== width))
          throw new Error('The values have another size than the range.')
        fill(this.cells, (y, x) => values[y]?.[x])
        return range
      },
    }
    return range
  }
}

/**
 * A spreadsheet with the script of examples/google-sheets. Apps Script waits for a response, and Node
 * does not: a function of the script runs again and again until it needs no further response.
 */
export async function createSpreadsheet(properties: Record<string, string>) {
  const script = await readFile('examples/google-sheets/collections.gs', 'utf8')
  const sheets = new Map<string, Sheet>()
  const triggers: Trigger[] = [{ handler: 'refreshSheets', hour: 1 }]
  return {
    sheets,
    triggers,
    /** Runs a function of the script and returns the seconds that it slept. */
    async run(name: 'refreshSheets' | 'refreshDaily'): Promise<number> {
      const answers = new Map<string, Answer[]>()
      for (;;) {
        const missing = new Map<string, Record<string, string>>()
        const used = new Map<string, number>()
        let slept = 0
        const context = {
          Date,
          PropertiesService: { getScriptProperties: () => ({ getProperties: () => properties }) },
          Utilities: { sleep: (ms: number) => (slept += ms / 1000) },
          UrlFetchApp: {
            fetch: (url: string, { headers }: { headers: Record<string, string> }) => {
              const count = used.get(url) ?? 0
              used.set(url, count + 1)
              const answer = answers.get(url)?.[count]
              if (answer === undefined) {
                missing.set(url, headers)
                throw new Error('The response is missing.')
              }
              return {
                getResponseCode: () => answer.status,
                getHeaders: () => answer.headers,
                getContentText: () => answer.text,
              }
            },
          },
          SpreadsheetApp: {
            getActiveSpreadsheet: () => ({
              getSheetByName: (name: string) => sheets.get(name) ?? null,
              insertSheet: (name: string) => {
                const sheet = new Sheet()
                sheets.set(name, sheet)
                return sheet
              },
            }),
          },
          ScriptApp: createTriggers(triggers),
        }
        try {
          vm.runInNewContext(`${script}; ${name}()`, context)
        } catch (error) {
          if (missing.size === 0) throw error
        }
        if (missing.size === 0) return slept
        for (const [url, headers] of missing)
          answers.set(url, [...(answers.get(url) ?? []), await fetchAnswer(url, headers)])
      }
    },
  }
}

async function fetchAnswer(url: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { headers })
  const retryAfter = response.headers.get('Retry-After')
  return {
    status: response.status,
    headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
    text: await response.text(),
  }
}

const createTriggers = (triggers: Trigger[]) => ({
  getProjectTriggers: () =>
    triggers.map((trigger) => ({ ...trigger, getHandlerFunction: () => trigger.handler })),
  deleteTrigger: ({ handler }: Trigger) => {
    triggers.splice(
      triggers.findIndex((trigger) => trigger.handler === handler),
      1,
    )
  },
  newTrigger: (handler: string) => ({
    timeBased: () => ({
      everyDays: () => ({
        atHour: (hour: number) => ({ create: () => triggers.push({ handler, hour }) }),
      }),
    }),
  }),
})
