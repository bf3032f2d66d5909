import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'

/** Programs under the names of agents: they print their arguments and wait, or say that there is no such conversation. */
export type FakeAgents = {
  /** With the agents before everything else. */
  readonly path: string
  /** From now on a resume ends with this code and these last words. */
  breakResume(code: number, words: string): void
  mend(): void
  /** From now on agents of this name behave like this: lines for `sh`, run once at the start. */
  behave(name: string, how: string): void
}

const WAITS = 'while :; do sleep 0.05; done'

/** For `behave`. An agent that waits in one of these ways hears signals at once. */
export const HABITS = {
  /** Leaves when asked to, and says how to go on with this conversation. */
  saysIdOnTerm: (hint: string) => `leave() { printf '${hint}\\n'; exit 0; }; trap leave TERM; ${WAITS}`,
  ignoresTerm: `trap '' TERM; ${WAITS}`,
  ignoresEverything: `trap '' TERM HUP INT; ${WAITS}`,
  needsTwoInterrupts: (hint: string) =>
    `times=0; again() { times=$((times + 1)); if [ "$times" -eq 2 ]; then printf '${hint}\\n'; exit 0; fi; echo 'again to quit'; }; trap again INT; ${WAITS}`,
} as const

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
if [ -e "$0.how" ]; then . "$0.how"; fi
while read -r line; do
  case "$line" in exit*) exit \${line#exit } ;; esac
done
`
  for (const name of names) {
    writeFileSync(`${folder}/${name}`, script)
    chmodSync(`${folder}/${name}`, 0o755)
  }
  return {
    path: `${folder}:${process.env['PATH'] ?? ''}`,
    breakResume: (code, words) => writeFileSync(broken, `printf '%s\\n\\n' '${words}'; exit ${code}\n`),
    mend: () => rmSync(broken, { force: true }),
    behave: (name, how) => writeFileSync(`${folder}/${name}.how`, `${how}\n`),
  }
}
