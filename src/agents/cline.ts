/** Cline. Its conversations lie in one place for all projects; no file says which process has which. */
import { plainAgent } from './plainAgent.ts'

export const cline = plainAgent({
  id: 'cline',
  label: 'Cline',
  recognise: { names: ['cline'], paths: ['/node_modules/cline/'] },
  idPattern: /^\d{10,16}_[0-9A-Za-z]{3,32}$/,
  resume: (id) => ['--id', id],
  flags: {
    withValue: ['-m', '--model'],
    droppedWithValue: ['--id'],
    choosing: ['--id'],
    notConversation: ['-h', '--help', '-v', '--version', '--cline-hub-daemon', 'auth', 'config', 'history', 'mcp', 'version'],
  },
  exitHint: /Continue cline --id (\d{10,16}_[0-9A-Za-z]{3,32})/,
  transcript: async (look, id) => {
    const path = `${look.home}/.cline/data/sessions/${id}`
    return (await look.stat(path)) === null ? { kind: 'gone' } : { kind: 'there', path }
  },
})
