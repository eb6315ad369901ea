import type { Adapter } from './adapter.ts'
import { threeSixtyGiving } from './import-grants.ts'

export const adapters: readonly Adapter[] = [threeSixtyGiving]
