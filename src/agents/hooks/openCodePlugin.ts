/** A plugin of opencode that reports what happens to Holdfast; plain JavaScript without anything to install. */
const MARK = '// Written by `holdfast agent hooks install opencode`; `holdfast agent hooks remove opencode` takes it away.'

/** Of the plugin, which runs in opencode; here nothing of a system is used. */
const NEEDS = { 'node:child_process': 'spawn', 'node:fs': 'accessSync, constants', 'node:path': 'delimiter, join' }
const imports = Object.entries(NEEDS)
  .map(([library, names]) => `import { ${names} } from '${library}'`)
  .join('\n')

export const isOurPlugin = (text: string): boolean => text.startsWith(MARK)

export const openCodePlugin = (program: string, events: readonly string[]): string => `${MARK}
${imports}

const EVENTS = new Set(${JSON.stringify(events)})
const AT_MOST_MS = 5000

function program() {
  const places = [${JSON.stringify(program)}, ...(process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, 'holdfast'))]
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

const report = (type, facts) =>
  new Promise((resolve) => {
    const command = program()
    if (command === undefined) return resolve()
    const options = { stdio: ['pipe', 'ignore', 'ignore'], timeout: AT_MOST_MS }
    const child = spawn(command, ['agent', 'report', 'opencode', '--event', type], options)
    child.on('error', resolve)
    child.on('close', resolve)
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(facts))
  })

export const Holdfast = async () => {
  if (!process.env.HOLDFAST_TERMINAL_ID) return {}
  const children = new Set()
  let said = ''
  // One at a time, so that they arrive as they happened; what was not told in time is replaced by what came after it.
  let next = null
  let isTelling = false
  const tell = async () => {
    if (isTelling) return
    isTelling = true
    while (next !== null) {
      const { type, facts } = next
      next = null
      await report(type, facts)
    }
    isTelling = false
  }
  return {
    event: async ({ event }) => {
      const { sessionID, info, status, permission } = event.properties ?? {}
      if (info?.parentID) children.add(info.id)
      const facts = { sessionID: sessionID ?? info?.id, status: status?.type, permission }
      const saying = JSON.stringify([event.type, facts])
      const isNews = EVENTS.has(event.type) && saying !== said && facts.status !== 'idle' // session.idle says that
      if (!isNews || children.has(facts.sessionID)) return
      said = saying
      next = { type: event.type, facts }
      void tell()
    },
  }
}
`
