/**
 * The local Worker's permission for webhook receivers on the same machine
 * (`npm start -- --allow-local-webhooks`). It is a symbol, so no environment variable can set it.
 */
export const allowsLocalReceivers = Symbol('receivers on this machine')
