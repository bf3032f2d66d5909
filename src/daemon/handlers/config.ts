/** The configuration: shown, and changed in config.toml. */
import { changeConfigFile } from '../../client/configFile.ts'
import { readIfThere } from '../../client/wholeFile.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import { showOptions } from '../../wire/config/configShown.ts'
import type { Handlers, Of, Parts } from './world.ts'

type World = Pick<Parts, 'config' | 'configTrouble' | 'paths' | 'rereadConfig'>

export const configHandlers: Handlers<Of<'config'>, World> = {
  'config.show': (daemon) => ({ ok: true, result: shown(daemon) }),

  'config.set': async (daemon, { key, value }) => {
    const changed = changeConfigFile(daemon.paths.config, { key, value: value ?? null })
    if (!changed.ok) return changed
    await daemon.rereadConfig()
    return { ok: true, result: shown(daemon) }
  },
}

function shown({ config, configTrouble, paths }: World): Outcome<'config.show'> {
  const text = textIn(paths.config)
  return { file: paths.config, options: showOptions(config, text), problems: configTrouble === null ? [] : [configTrouble] }
}

function textIn(file: string): string {
  try {
    return readIfThere(file) ?? ''
  } catch {
    return '' // configTrouble says why it cannot be read
  }
}
