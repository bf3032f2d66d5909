import { resolve } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { OptionShown } from '../../wire/commands/config.ts'
import { print, resultOf } from '../core/answers.ts'
import { EXIT, type ExitCode } from '../core/exit.ts'
import { loadConfig, problemText } from '../core/loadConfig.ts'
import type { Cli, Verb } from '../core/verb.ts'
import { paletteFor } from '../text/color.ts'

const show: Verb = {
  name: 'show',
  summary: 'Show every option, its value and its meaning.',
  example: ['holdfast config show'],
  run: async (cli) => {
    const { describeConfig } = await import('../../wire/config/config.ts')
    const { config, problems } = await loadConfig(cli.paths.config)
    for (const problem of problems) cli.complain(`holdfast: ${problemText(cli.paths.config, problem)}`)
    if (problems.length > 0) cli.complain('  These are the defaults; a running daemon keeps its last valid values.')
    const { bold, dim } = paletteFor(cli)
    if (cli.isJson) cli.printJson(config)
    else
      for (const { key, value, default: usual, sentence, lines } of describeConfig(config)) {
        const changed = lines === null && value !== usual ? dim(`   # default: ${usual}`) : ''
        cli.print(lines === null ? `${bold(key)} = ${value}${changed}` : [bold(`[${key}]`), ...lines].join('\n'))
        cli.print(`    ${dim(sentence)}`)
      }
    return done(problems.length === 0 ? EXIT.done : EXIT.refused)
  },
}

const set: Verb = {
  name: 'set',
  summary: 'Set an option in config.toml; comments stay.',
  operands: '<key> <value>',
  details: [
    'A running daemon applies it at once. VALUE is text, a number, true, false, or',
    'any TOML value. A section with free keys takes the name of the entry:',
    'holdfast config set page.keys.palette Ctrl+P.',
  ],
  example: ['holdfast config set page.theme dark', `holdfast config set env.allow '["ACME_*"]'`],
  run: async (cli, input) => {
    const [key = '', typed = ''] = input.operands
    const { typedValue } = await import('../../wire/config/configShown.ts')
    return await changeOption(cli, { key, value: typedValue(key, typed) })
  },
}

const unset: Verb = {
  name: 'unset',
  summary: 'Remove an option from config.toml, to use its default.',
  operands: '<key>',
  example: ['holdfast config unset page.theme'],
  run: (cli, input) => changeOption(cli, { key: input.operands[0] ?? '', value: null }),
}

type Change = { readonly key: string; readonly value: unknown }

/** Through the daemon if one runs, so that the change applies at once; else in the file. */
async function changeOption(cli: Cli, change: Change): Promise<Result<ExitCode>> {
  const { key } = change
  const running = await cli.running()
  const changed = running.ok ? resultOf(await cli.ask('config.set', change)) : await changeInFile(cli, change)
  if (!changed.ok) return changed
  const { valueText } = await import('../../wire/config/toml.ts')
  const { options } = changed.value
  const option = options.find((other) => other.key === key) ?? options.find((other) => key.startsWith(`${other.key}.`))
  if (cli.isJson) cli.printJson(option ?? null)
  else if (option !== undefined) cli.print(`${option.key} = ${valueText(option.value) ?? ''}`)
  if (running.ok && option?.needsRestart === true) cli.complain('holdfast: it applies after a restart: holdfast daemon restart')
  return done(EXIT.done)
}

async function changeInFile(cli: Cli, change: Change): Promise<Result<{ readonly options: readonly OptionShown[] }>> {
  const [{ changeConfigFile }, { showOptions }, { parseConfig }, { readIfThere }] = await Promise.all([
    import('../../client/configFile.ts'),
    import('../../wire/config/configShown.ts'),
    import('../../wire/config/config.ts'),
    import('../../client/wholeFile.ts'),
  ])
  const file = cli.paths.config
  const changed = changeConfigFile(file, change)
  if (!changed.ok) return changed
  const text = readIfThere(file) ?? ''
  const parsed = parseConfig(text)
  if (!parsed.ok) return refused(refusals.configInvalid(`${file}, line ${parsed.problems[0]?.line}: ${parsed.problems[0]?.message}.`))
  return done({ options: showOptions(parsed.config, text) })
}

const path: Verb = {
  name: 'path',
  summary: 'Print the path of config.toml, even if it does not exist.',
  example: ['$EDITOR "$(holdfast config path)"'],
  run: (cli) => print(cli, { path: cli.paths.config }, (shown) => shown.path),
}

const check: Verb = {
  name: 'check',
  summary: 'Check config.toml or another file and list its errors.',
  operands: '[file]',
  completes: 'file',
  example: ['holdfast config check', 'holdfast config check ./new-config.toml'],
  run: async (cli, input) => {
    const [typed] = input.operands
    const file = typed === undefined ? cli.paths.config : resolve(cli.cwd, typed)
    const { exists, problems } = await loadConfig(file)
    if (typed !== undefined && !exists) return refused(refusals.configInvalid(`${file} does not exist.`))
    if (cli.isJson) cli.printJson({ file, exists, problems })
    else if (problems.length === 0) cli.print(exists ? `${file} is valid.` : `${file} does not exist; the defaults are used.`)
    else for (const problem of problems) cli.print(problemText(file, problem))
    return done(problems.length === 0 ? EXIT.done : EXIT.refused)
  },
}

const example: Verb = {
  name: 'example',
  summary: 'Print a commented config.toml with every option.',
  json: false,
  example: ['holdfast config example > "$(holdfast config path)"'],
  run: async (cli) => {
    const { exampleConfig } = await import('../../wire/config/config.ts')
    cli.print(exampleConfig().trimEnd())
    return done(EXIT.done)
  },
}

export const verb: Verb = {
  name: 'config',
  summary: 'Show, change and check the configuration.',
  example: ['holdfast config', 'holdfast config set page.theme dark', '$EDITOR "$(holdfast config path)" && holdfast config check'],
  run: show.run,
  verbs: [show, set, unset, path, check, example],
}
