import { readFile } from 'node:fs/promises'
import type { Outcome } from '../../wire/commands.ts'
import { showOptions } from '../../wire/configShown.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'

export const showConfig: Handler<'config.show'> = async (daemon) => ({ ok: true, result: await configShown(daemon) })

export async function configShown({ config, configTrouble, paths }: Daemon): Promise<Outcome<'config.show'>> {
  const text = await readFile(paths.config, 'utf8').catch(() => '') // where it cannot be read, the trouble says so
  return { file: paths.config, options: showOptions(config, text), problems: configTrouble === null ? [] : [configTrouble] }
}
