/**
 * A binding that only the Worker of a local machine has, under a name that no variable can have: whether it
 * may send to receivers on that machine (`npm start -- --allow-local-webhooks`).
 */
export const allowsLocalReceivers = Symbol('receivers on this machine')
