import type { Handler } from '../connection.ts'
import { find } from '../find.ts'
import { viewOf } from '../view.ts'

export const lookAtTerminal: Handler<'terminal.look'> = (daemon, { terminal: ref, size, lead }, client) => {
  const found = find(daemon, ref)
  if (!found.ok) return found
  const { id } = found.value
  const { number, who } = client
  if (size !== null) daemon.looked(id)
  daemon.sizes.happened(id, size === null ? { kind: 'hides', client: number } : { kind: 'looks', client: number, who, size, lead })
  return { ok: true, result: { client: number, terminal: viewOf(daemon.registry.get(id) ?? found.value, daemon) } }
}
