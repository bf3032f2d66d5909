/** Which agents are installed: found in a PATH, and never started to find out. */
import { access, constants, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Agent } from '../../agents/agent.ts'

export type Installed = { readonly name: string; readonly label: string; readonly command: string; readonly path: string }

/** In the order of `agents`; each by the first of its names that is there. */
export async function findInstalled(agents: readonly Agent[], path: string): Promise<Installed[]> {
  const folders = path.split(':').filter((folder) => isAbsolute(folder)) // any other depends on where somebody stands
  const found = await Promise.all(agents.map((agent) => findAgent(agent, folders)))
  return found.filter((agent) => agent !== null)
}

async function findAgent({ id, label, recognise }: Agent, folders: readonly string[]): Promise<Installed | null> {
  for (const command of recognise.names) {
    for (const folder of folders) {
      const path = join(folder, command)
      if (await isProgram(path)) return { name: id, label, command, path }
    }
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false // not there, or not to be executed by us
  }
}
