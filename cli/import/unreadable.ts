/** A file, or a line of it, that cannot be read as what its name says it is. */
export class Unreadable extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
