/** Parses the command line with commander, which only this file knows. */
import { Command, CommanderError, Option as CommanderOption } from 'commander'
import { type Input, type Option, optionsOf, type Verb } from './core/verb.ts'

export type Parsed =
  | { readonly kind: 'verb'; readonly verb: Verb; readonly input: Input }
  /** Help or the version was printed. */
  | { readonly kind: 'shown' }
  | { readonly kind: 'usage'; readonly message: string }

export type Printer = { print(text: string): void; readonly columns: number }

export type Definition = { readonly root: Verb; readonly verbs: readonly Verb[]; readonly version: string }

export function parse(definition: Definition, argv: readonly string[], printer: Printer): Parsed {
  let chosen: Parsed = { kind: 'shown' }
  let complaint = ''
  const choose = (verb: Verb, input: Input): void => {
    chosen = { kind: 'verb', verb, input }
  }
  const output = {
    writeOut: printer.print,
    writeErr: (text: string) => {
      complaint += text
    },
    getOutHelpWidth: () => printer.columns,
    getErrHelpWidth: () => printer.columns,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  }
  const root = new Command('holdfast').configureOutput(output).exitOverride().enablePositionalOptions()
  root.version(definition.version, '-V, --version', 'print the version').helpCommand(false)
  describe(root, withoutWords(definition.root, argv), choose)
  for (const verb of definition.verbs) {
    const words = argv.slice(argv.indexOf(verb.name) + 1)
    attach(root, verb.verbs === undefined ? verb : withoutWords(verb, words), choose)
  }
  try {
    root.parse([...argv], { from: 'user' })
    return chosen
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { kind: 'shown' }
    if (error.code === 'commander.help') return { kind: 'usage', message: missingVerb(definition, argv) }
    return {
      kind: 'usage',
      message:
        complaint
          .replace(/^error: /, '')
          .trim()
          .replaceAll('\n', ' ') || error.message,
    }
  }
}

/** Lists the verbs of the innermost named group. */
function missingVerb({ verbs }: Definition, argv: readonly string[]): string {
  let path = 'holdfast'
  let within: readonly Verb[] = verbs
  for (const word of argv) {
    const group = within.find(({ name }) => name === word)
    if (group?.verbs === undefined) break
    path += ` ${word}`
    within = group.verbs.filter(({ hidden }) => hidden !== true)
  }
  return `a command is missing: ${path} ${within.map(({ name }) => name).join('|')}`
}

/** For an unknown word, commander suggests a verb only if the group itself has no action. */
const withoutWords = (group: Verb, words: readonly string[]): Verb =>
  words.every((word) => word.startsWith('-')) ? group : { ...group, options: optionsOf(group), run: undefined }

function attach(parent: Command, verb: Verb, choose: (verb: Verb, input: Input) => void): void {
  const command = parent.command(verb.name, { hidden: verb.hidden === true })
  if (verb.alias !== undefined) command.alias(verb.alias)
  describe(command, verb, choose)
  if (verb.verbs !== undefined) command.enablePositionalOptions().helpCommand(false)
  for (const child of verb.verbs ?? []) attach(command, child, choose)
}

function describe(command: Command, verb: Verb, choose: (verb: Verb, input: Input) => void): void {
  command.description(verb.summary).helpOption('-h, --help', 'show this help').showSuggestionAfterError(true)
  if (verb.details !== undefined) command.addHelpText('after', `\n${verb.details.join('\n')}`)
  command.addHelpText('after', `\nExample:\n${verb.example.map((line) => `  $ ${line}`).join('\n')}`)
  if (verb.operands !== undefined) command.arguments(verb.operands)
  if (verb.passesOn === true) command.passThroughOptions()
  for (const option of optionsOf(verb)) command.addOption(optionOf(option))
  const { run } = verb
  if (run !== undefined) command.action(() => choose(verb, inputOf(command)))
}

function optionOf({ flags, help, repeats, choices }: Option): CommanderOption {
  const option = new CommanderOption(flags, help)
  if (choices !== undefined) option.choices(choices)
  if (repeats === true) option.argParser((value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value])
  return option
}

function inputOf(command: Command): Input {
  const values: Record<string, unknown> = command.opts()
  return {
    operands: command.args,
    text: (name) => {
      const value = values[name]
      return typeof value === 'string' ? value : undefined
    },
    flag: (name) => values[name] === true,
    list: (name) => {
      const value = values[name]
      return Array.isArray(value) ? value.map(String) : []
    },
  }
}
