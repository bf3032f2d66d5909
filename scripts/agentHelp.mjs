/** Reads the text of an agent's --help. Agents use four libraries for it: commander, clap, yargs, and one of their own. */

const HEADING = /^\S.*:\s*$/
/** `-n, --name <name>`, `--print, -p`, `--allowedTools, --allowed-tools <tools...>`, `-i, --image <FILE>...`, `--resume [<value>]`. */
const FLAG = /^ {2,8}(-[-\w]+(?:, -[-\w]+)*)((?: |=)(?:<[^>]*>|\[[^\]]*\])(?:\.\.\.)?)?(?: {2,}(.*)|\s*)$/
/** At the end of a flag's text, as yargs prints it. */
const TYPE = /\[(boolean|string|number|array|count)\](?!.*\[(?:boolean|string|number|array|count)\])/

/** How many values a flag takes, by the place that stands for them. */
function takesOf(place) {
  if (place === '') return 'none'
  if (place.includes('...')) return 'many'
  return place.startsWith('[') ? 'optional' : 'one'
}

const TAKES_OF_TYPE = { boolean: 'none', count: 'none', string: 'one', number: 'one', array: 'many' }

/** Every flag in the sections named `Options:`, with its text on one line. */
export function flagsIn(help) {
  const found = []
  let isInOptions = false
  for (const line of help.split('\n')) {
    if (HEADING.test(line)) isInOptions = /options:\s*$/i.test(line)
    if (!isInOptions) continue
    const [, names, place = '', text = ''] = FLAG.exec(line) ?? []
    if (names !== undefined) found.push({ names: names.split(', '), place: place.trim().replace(/^=/, ''), text: [text] })
    else if (found.length > 0 && /^\s+\S/.test(line)) found.at(-1).text.push(line.trim())
  }
  return found.map(({ names, place, text: lines }) => {
    const text = lines.join(' ').replace(/\s+/g, ' ').trim()
    const type = place === '' ? TYPE.exec(text)?.[1] : undefined
    const [flag, ...aliases] = names.toSorted((one, other) => Number(other.startsWith('--')) - Number(one.startsWith('--')))
    return { flag, aliases, takes: type === undefined ? takesOf(place) : TAKES_OF_TYPE[type], text: text.slice(0, 160) }
  })
}

const WIDTH = 130

/** The source of an agent's table: every spelling of every flag, by how many values it takes. */
export function tableText({ agent, version, flags }) {
  const parts = ['none', 'one', 'optional', 'many'].flatMap((takes) => {
    const spellings = flags.flatMap((flag) => (flag.takes === takes ? [flag.flag, ...flag.aliases] : []))
    return spellings.length === 0 ? [] : [`  ${takes}: \`${wrapped(spellings)}\`,`]
  })
  return [
    `/** The flags of ${agent} ${version}, as its --help tells them. Written by \`npm run agents:flags\`: do not edit. */`,
    `import { flagTable } from './flagTable.ts'`,
    '',
    `export const ${agent.toUpperCase()}_FLAGS = flagTable({`,
    ...parts,
    '})',
    '',
  ].join('\n')
}

function wrapped(words) {
  const lines = ['']
  for (const word of words) {
    const last = lines.at(-1)
    if (last.length + word.length + 1 > WIDTH - 4) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.length === 1 ? lines[0] : `\n${lines.map((line) => `    ${line}`).join('\n')}\n  `
}
