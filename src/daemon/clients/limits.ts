/** What one client may have at a time, and how many clients there may be. Beyond it, the answer is a refusal. */
export const HELLO_WITHIN_MS = 5_000 // a client says it at once; one that does not may be anything
export const MOST_CLIENTS = 512
export const MOST_CONNECTIONS = 1_024 // accepted at all: clients that have said hello are counted, and told, sooner
export const MOST_REQUESTS = 256 // under way on one connection: a page asks for some dozens when it comes back
export const MOST_CHANNELS = 512 // of one connection; each is a connection to a holder
export const MOST_WAITS = 1_000 // for text or silence, of all clients: each is looked at after all output of its terminal
