import { done } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { managerHere, removeService, textIn } from '../../service/service.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const remove: Verb = {
  name: 'remove',
  summary: 'Take the service away. Programs keep running.',
  options: [JSON_OPTION],
  example: ['holdfast service remove'],
  run: async (input, host) => {
    const found = await managerHere(host)
    if (!found.ok) return found
    const manager = found.value
    const { file } = manager
    const wasInstalled = textIn(file) !== null
    // A manager that does not answer runs nothing of it; its file is removed all the same.
    const disabled = wasInstalled ? await manager.disable() : done(null)
    const removed = removeService(file)
    if (!removed.ok) return removed
    if (wasInstalled) await manager.forget()
    if (input.flag('json')) host.printJson({ file, removed: wasInstalled, disabled: disabled.ok })
    else if (!wasInstalled) host.print('The service is not installed.')
    else {
      host.print(`Removed: ${file}\nPrograms keep running; the next holdfast starts the daemon again and finds them.`)
      if (!disabled.ok) host.complain(`${disabled.refusal.message} Whatever ran of it stays until you log out.`)
    }
    return done(EXIT.done)
  },
}
