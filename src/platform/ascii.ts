/**
 * Whether a text has only printable ASCII characters. Patterns for such texts need no classes of Unicode, which a new
 * isolate takes milliseconds to compile.
 */
export const isPrintableAscii = (text: string): boolean => /^[ -~]*$/.test(text)
