import { configure } from '@zip.js/zip.js/lib/zip-core-custom.js'

/*
 * The settings of zip.js, which are global; every module that uses zip.js imports this one first.
 * Web workers would hold a copy of the data. A chunk is inflated whole, to as much as 1,000 times its
 * size. Beyond `maxWorkers`, by default one in workerd, zip.js lets a zip wait until another is
 * finished, even one of another request: an unread or cancelled download would block every later zip.
 */
configure({ useWebWorkers: false, chunkSize: 2 ** 14, maxWorkers: Number.MAX_SAFE_INTEGER })
