import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'

/** Programs under the names of agents: they print their arguments and wait, or say that there is no such conversation. */
export type FakeAgents = {
  /** With the agents before everything else. */
  readonly path: string
  /** From now on a resume ends with this code and these last words. */
  breakResume(code: number, words: string): void
  mend(): void
}

/** In a folder of the home, so that they go with it. */
export function installFakeAgents(home: { readonly path: string }, names: readonly string[]): FakeAgents {
  const folder = `${home.path}/agents`
  const broken = `${folder}/broken`
  mkdirSync(folder, { recursive: true })
  const script = `#!/bin/sh
printf 'argv:'; for word in "$@"; do printf ' [%s]' "$word"; done; echo
case "$*" in
  *resume*|*--continue*) if [ -e '${broken}' ]; then . '${broken}'; fi ;;
esac
echo ready
exec sleep 300
`
  for (const name of names) {
    writeFileSync(`${folder}/${name}`, script)
    chmodSync(`${folder}/${name}`, 0o755)
  }
  return {
    path: `${folder}:${process.env['PATH'] ?? ''}`,
    breakResume: (code, words) => writeFileSync(broken, `printf '%s\\n\\n' '${words}'; exit ${code}\n`),
    mend: () => rmSync(broken, { force: true }),
  }
}
