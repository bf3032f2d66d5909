import { readIfThere } from '../../client/wholeFile.ts'
import type { Outcome } from '../../wire/commands.ts'
import { showOptions } from '../../wire/configShown.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'

export const showConfig: Handler<'config.show'> = (daemon) => Promise.resolve({ ok: true, result: configShown(daemon) })

export function configShown({ config, configTrouble, paths }: Daemon): Outcome<'config.show'> {
  const text = textIn(paths.config)
  return { file: paths.config, options: showOptions(config, text), problems: configTrouble === null ? [] : [configTrouble] }
}

function textIn(file: string): string {
  try {
    return readIfThere(file) ?? ''
  } catch {
    return '' // where it cannot be read, the trouble says so
  }
}
