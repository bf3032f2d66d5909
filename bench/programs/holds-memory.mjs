// Holds as much memory as an agent that waits for its user: a Node process with so many megabytes of its own.
const held = Buffer.alloc(Number(process.argv[2] ?? 100) * 1e6, 1)
process.stdout.write(`holds ${held.length}\n`)
setInterval(() => undefined, 60_000)
