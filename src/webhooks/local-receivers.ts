/**
 * A binding of the local Worker that permits receivers on the same machine
 * (`npm start -- --allow-local-webhooks`). A symbol, because no variable can have this name.
 */
export const allowsLocalReceivers = Symbol('receivers on this machine')
