/** Options of well-known programs that take a secret, though their names do not say so: `mysql -pX`, `sshpass -p X`. */
import { baseName } from '../../agents/program.ts'
import { REDACTED } from './redactShapes.ts'

type Rule = {
  readonly programs: readonly string[]
  /** The value is the next word. */
  readonly next?: readonly string[]
  /** The value stands in the same word. */
  readonly joined?: readonly string[]
  /** Only behind this word. */
  readonly after?: string
}

const MYSQL = ['mysql', 'mysqldump', 'mysqladmin', 'mysqlimport', 'mysqlshow', 'mysqlcheck', 'mariadb', 'mariadb-dump', 'mariadb-admin']
const LDAP = ['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapdelete', 'ldappasswd', 'ldapwhoami', 'ldapcompare']
const SNMP = ['snmpget', 'snmpset', 'snmpwalk', 'snmpbulkwalk', 'snmptrap']
const OPENSSL_OPTIONS = ['-passin', '-passout', '-pass', '-k', '-K', '-password']

const RULES: readonly Rule[] = [
  { programs: MYSQL, joined: ['-p'] }, // with a blank between, the next word is a database
  { programs: ['sshpass'], next: ['-p'], joined: ['-p'] },
  { programs: ['redis-cli', 'valkey-cli', 'keydb-cli'], next: ['-a', '--pass'] },
  { programs: ['docker', 'podman', 'nerdctl', 'buildah', 'skopeo', 'helm', 'oras', 'az'], next: ['-p'], joined: ['-p'], after: 'login' },
  { programs: ['openssl'], next: OPENSSL_OPTIONS },
  { programs: ['mongo', 'mongosh', 'mongodump', 'mongorestore', 'mongoexport', 'mongoimport', 'cqlsh'], next: ['-p'] },
  { programs: LDAP, next: ['-w'], joined: ['-w'] },
  { programs: SNMP, next: ['-A', '-X', '-c'] },
  { programs: ['zip', 'unzip', 'sqlcmd', 'bcp', 'ipmitool', 'mosquitto_pub', 'mosquitto_sub'], next: ['-P'], joined: ['-P'] },
  { programs: ['7z', '7za', '7zz', '7zr', 'rar', 'unrar'], joined: ['-p'] },
  { programs: ['xfreerdp', 'wlfreerdp'], joined: ['/p:'] },
]
const RULE_OF = new Map(RULES.flatMap((rule) => rule.programs.map((program) => [program, rule] as const)))

/** Where a password comes from is no secret: `env:NAME`, `file:PATH`. */
const SOURCE = /^(?:env|file|fd):|^stdin$/
const LITERAL = /^pass:/

/** A command line as words, the program among them. */
export function redactProgramWords(words: readonly string[]): readonly string[] {
  let rule: Rule | null = null
  let isAfter = true
  let isValue = false
  return words.map((word) => {
    if (isValue) {
      isValue = false
      return SOURCE.test(word) ? word : LITERAL.test(word) ? `pass:${REDACTED}` : REDACTED
    }
    const named = RULE_OF.get(baseName(word))
    if (named !== undefined && !word.startsWith('-')) {
      rule = named
      isAfter = named.after === undefined
      return word
    }
    if (rule === null) return word
    if (word === rule.after) isAfter = true
    if (!isAfter) return word
    isValue = rule.next?.includes(word) === true
    const option = isValue ? undefined : rule.joined?.find((start) => word.startsWith(start) && word.length > start.length)
    return option === undefined ? word : option + REDACTED
  })
}

const KNOWN = new RegExp(String.raw`(?<![\w-])(?:${[...RULE_OF.keys()].join('|')})(?![\w-])`)
/** Words as a shell has them, and what parts one command from the next. */
const TOKEN = /(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|[^\s"'\\;|&])+|[;|&\n]|["']/g
const QUOTED = /^(["'])([\s\S]*\s[\s\S]*)\1$/

/** A command line as text, also one inside the quotes of another. */
export function redactProgramText(text: string): string {
  if (!KNOWN.test(text)) return text
  const tokens = [...text.matchAll(TOKEN)]
  const words = tokens.map(([token]) => token)
  const bare = words.map((word) => word.replace(/^["']|["']$/g, ''))
  const redacted = commandsOf(bare).flatMap(redactProgramWords)
  let [done, at] = ['', 0]
  tokens.forEach(({ index, 0: token }, number) => {
    const inner = QUOTED.exec(token)
    const is = redacted[number] === bare[number] ? token : (redacted[number] ?? token)
    const shown = inner === null || is !== token ? is : inner[1] + redactProgramText(inner[2] ?? '') + inner[1]
    done += text.slice(at, index) + shown
    at = index + token.length
  })
  return done + text.slice(at)
}

/** A separator is a command of its own, so that the rule of one program does not reach into the next. */
function commandsOf(words: readonly string[]): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  for (const word of words) {
    if (/^[;|&\n]$/.test(word)) commands.push([word], [])
    else commands.at(-1)?.push(word)
  }
  return commands
}
