/** Changes an option: through the daemon if one runs, so that it is in force at once, else in the file. */
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import type { OptionShown } from '../wire/commands/config.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { Host } from './host.ts'

type Change = { readonly key: string; readonly value: unknown; readonly isJson: boolean }

export async function changeOption(host: Host, { key, value, isJson }: Change): Promise<Result<ExitCode>> {
  const running = await host.running()
  const changed = running.ok ? await throughDaemon(host, { key, value }) : await inFile(host, { key, value })
  if (!changed.ok) return changed
  const { valueText } = await import('../wire/toml.ts')
  const option = changed.value.find((other) => other.key === key) ?? changed.value.find((other) => key.startsWith(`${other.key}.`))
  if (isJson) host.printJson(option ?? null)
  else if (option !== undefined) host.print(`${option.key} = ${valueText(option.value) ?? ''}`)
  if (running.ok && option?.needsRestart === true)
    host.complain('holdfast: it is in force once the daemon is restarted: holdfast daemon restart')
  return done(EXIT.done)
}

type Wanted = { readonly key: string; readonly value: unknown }

async function throughDaemon(host: Host, wanted: Wanted): Promise<Result<readonly OptionShown[]>> {
  const answer = await host.ask('config.set', wanted)
  return answer.ok ? done(answer.value.result.options) : answer
}

async function inFile(host: Host, wanted: Wanted): Promise<Result<readonly OptionShown[]>> {
  const [{ changeConfigFile }, { showOptions }, { parseConfig }, { readIfThere }] = await Promise.all([
    import('../client/configFile.ts'),
    import('../wire/configShown.ts'),
    import('../wire/config.ts'),
    import('../client/wholeFile.ts'),
  ])
  const file = host.paths.config
  const changed = changeConfigFile(file, wanted)
  if (!changed.ok) return changed
  const text = readIfThere(file) ?? ''
  const parsed = parseConfig(text)
  if (!parsed.ok) return refused(refusals.configInvalid(`${file}, line ${parsed.problems[0]?.line}: ${parsed.problems[0]?.message}.`))
  return done(showOptions(parsed.config, text))
}
