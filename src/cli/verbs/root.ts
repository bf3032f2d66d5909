/** `holdfast` alone: the workspace, one link away. */
import { done } from '../../base/refusal.ts'
import { EXIT } from '../exit.ts'
import { JSON_OPTION, type Verb } from '../verb.ts'

export const verb: Verb = {
  name: 'holdfast',
  summary: 'Terminals that outlive you. Without a verb: start the daemon and open the workspace.',
  options: [{ flags: '--no-open', help: 'only print the address' }, JSON_OPTION],
  example: ['holdfast', 'holdfast new --name build -- make -j8', 'holdfast attach build'],
  run: async (input, host) => {
    const { canOpen, openBrowser, snapOfBrowser } = await import('../browser/openBrowser.ts')
    const opens = input.flag('open') && canOpen(host)
    const login = await host.ask('web.login', opens ? { file: { snap: await snapOfBrowser(host) } } : {})
    if (!login.ok) return login
    const { url, file, trouble } = login.value.result
    if (input.flag('json')) host.printJson({ url, ...(trouble === undefined ? {} : { trouble }) })
    else host.print(`Your workspace: ${url}\nThe link logs one browser in. holdfast prints a new one whenever you need it.`)
    if (trouble !== undefined) host.complain(`Warning: ${trouble}`)
    if (file !== undefined) await openBrowser(file, host.env)
    return done(EXIT.done)
  },
}
