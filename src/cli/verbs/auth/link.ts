import { done, refusals, refused } from '../../../base/refusal.ts'
import { EXIT } from '../../exit.ts'
import { JSON_OPTION, type Verb } from '../../verb.ts'

export const link: Verb = {
  name: 'link',
  summary: 'Print a link that logs one browser in, once.',
  operands: '[terminal...]',
  completes: 'terminals',
  options: [
    { flags: '--view', help: 'the browser may only look: at these terminals, or at all of them' },
    { flags: '--name <name>', help: 'what to call the browser' },
    JSON_OPTION,
  ],
  example: ['holdfast auth link', 'holdfast auth link --view --name "wall screen"', 'holdfast auth link --view api web'],
  details: ['The link works for ten minutes. Whoever has it can do what the browser may do.'],
  run: async (input, host) => {
    const terminals = [...input.operands]
    if (terminals.length > 0 && !input.flag('view'))
      return refused(refusals.usage('Terminals are named only with --view.', 'holdfast auth link --help'))
    const name = input.text('name')
    const made = await host.ask('web.login', {
      ...(input.flag('view') ? { view: terminals.length === 0 ? ('all' as const) : terminals } : {}),
      ...(name === undefined ? {} : { name }),
    })
    if (!made.ok) return made
    const { url, trouble } = made.value.result
    if (input.flag('json')) host.printJson({ url, ...(trouble === undefined ? {} : { trouble }) })
    else host.print(url)
    if (trouble !== undefined) host.complain(`Warning: ${trouble}`)
    return done(EXIT.done)
  },
}
