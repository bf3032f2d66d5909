import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asleep, live } from '../../../test/support/terminals.ts'
import { redactTerminal } from '../terminal/redactTerminal.ts'
import { captureEnvironment, redactArgv, redactEnvironment, redactPlain, redactText, redactValue } from './redact.ts'
import { REDACTED } from './redactShapes.ts'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const BASE62 = LOWER + UPPER + DIGITS

/** Evenly spread, as secrets are: the small and repeated values that fast-check likes are no secrets. The seed is printed. */
const randomBytes = (min: number, max: number) =>
  fc.noShrink(fc.record({ seed: fc.integer(), length: fc.integer({ min, max }) })).map(({ seed, length }) => {
    const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, n) => createHash('sha256').update(`${seed} ${n}`).digest())
    return Buffer.concat(blocks).subarray(0, length)
  })
const noise = (alphabet: string, min: number, max: number) =>
  randomBytes(min, max).map((buffer) => [...buffer].map((byte) => alphabet[byte % alphabet.length]).join(''))

/** What is a secret by its looks, whatever it is called. */
const shaped: Readonly<Record<string, fc.Arbitrary<string>>> = {
  openai: noise(BASE62, 20, 60).map((body) => `sk-proj-${body}`),
  anthropic: noise(`${BASE62}-_`, 40, 95).map((body) => `sk-ant-api03-${body}`),
  github: fc.tuple(fc.constantFrom('ghp_', 'gho_', 'ghs_', 'github_pat_'), noise(BASE62, 36, 40)).map((parts) => parts.join('')),
  aws: noise(UPPER + DIGITS, 16, 16).map((body) => `AKIA${body}`),
  google: noise(`${BASE62}-_`, 35, 35).map((body) => `AIza${body}`),
  slack: noise(BASE62, 24, 40).map((body) => `xoxb-${body}`),
  jwt: fc.tuple(randomBytes(20, 40), randomBytes(20, 60), randomBytes(32, 32)).map(([head, body, sign]) => {
    const part = (json: string) => Buffer.from(json).toString('base64url')
    return `${part(`{"alg":"HS256","k":"${head.toString('hex')}"}`)}.${part(`{"sub":"${body.toString('hex')}"}`)}.${sign.toString('base64url')}`
  }),
  base64: randomBytes(24, 64).map((buffer) => buffer.toString('base64')),
  base64url: randomBytes(24, 64).map((buffer) => buffer.toString('base64url')),
  hex: randomBytes(16, 64).map((buffer) => buffer.toString('hex')),
  base32: noise(`${UPPER}234567`, 32, 52),
  alphanumeric: noise(LOWER + DIGITS, 32, 64),
  pem: randomBytes(100, 300).map(
    (buffer) => `-----BEGIN PRIVATE KEY-----\n${buffer.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----`,
  ),
}
/** What is a secret only by its name; it may look like anything. */
const plain = fc.oneof(noise(BASE62, 12, 24), fc.constantFrom('hunter2hunter2', 'correct-horse-battery', 'Tr0ub4dor&3'))
const secretName = fc.constantFrom(
  ...['API_TOKEN', 'OPENAI_API_KEY', 'DB_PASSWORD', 'clientSecret', 'SESSION_COOKIE', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_PAT', 'authToken'],
  ...['GOOGLE_CREDENTIALS', 'PGPASS', 'PASSPHRASE', 'x-api-key', 'HTTP_AUTH', 'apikey', 'STRIPE_SIGNING_KEY', 'DATABASEPASSWORD'],
)

const LABEL = /-----(?:BEGIN|END) PRIVATE KEY-----/g // of a PEM: no secret

/** No part of it that anybody could use is left. */
function expectGone(secret: string, output: string): void {
  const bare = secret.replace(LABEL, '')
  const left = Array.from({ length: Math.max(0, bare.length - PART + 1) }, (_, at) => bare.slice(at, at + PART)).find((part) =>
    output.includes(part),
  )
  if (left !== undefined) throw new Error(`"${left}" of "${secret}" is left in: ${output}`)
}
const PART = 12

const NUM_RUNS = Number(process.env['REDACT_RUNS'] ?? 150) // a long hunt: REDACT_RUNS=20000, with a --testTimeout
const always = <Value>(arbitrary: fc.Arbitrary<Value>, promise: (value: Value) => void) =>
  fc.assert(fc.property(arbitrary, promise), { numRuns: NUM_RUNS })

describe('a secret by its name', () => {
  test('never comes through an environment', () => {
    always(fc.tuple(secretName, plain), ([name, secret]) => {
      expect(redactEnvironment({ [name]: secret })).toEqual({ [name]: REDACTED })
    })
  })

  test('never comes through a command line', () => {
    always(fc.tuple(secretName, plain), ([name, secret]) => {
      const option = `--${name.toLowerCase().replaceAll('_', '-')}`
      for (const argv of [
        ['run', option, secret],
        ['run', `${option}=${secret}`],
        ['env', `${name}=${secret}`, 'run'],
      ]) {
        expectGone(secret, redactArgv(argv).join(' '))
        expectGone(secret, redactText(argv.join(' ')))
      }
    })
  })

  test('never comes through JSON, however deep it is quoted, nor through YAML, shell or a URL', () => {
    always(fc.tuple(secretName, plain), ([name, secret]) => {
      const json = JSON.stringify({ a: 1, [name]: secret, b: 'x' })
      const texts = [json, JSON.stringify(json), JSON.stringify(JSON.stringify(json)), `${name}: ${secret}`, `export ${name}='${secret}'`]
      const shell = [
        `cmd="${name}=${secret} run"`,
        `sh -c '${name}=${secret} run'`,
        `curl -d '${json}' https://example.org`,
        `${name} = "${secret}`,
        `${name}="two words ${secret}"`,
      ]
      for (const text of [...texts, ...shell]) expectGone(secret, redactText(text))
      expectGone(secret, redactText(`https://example.org/a?x=1&${name}=${encodeURIComponent(secret)}&y=2`))
      expectGone(secret, JSON.stringify(redactPlain({ deep: [{ [name]: secret }] })))
    })
  })

  test('never comes through a header or the password of a URL', () => {
    always(noise(BASE62, 12, 40), (secret) => {
      expectGone(secret, redactText(`-H 'Authorization: Basic ${secret}'`))
      expectGone(secret, redactText(`Authorization: Bearer ${secret}`))
      expectGone(secret, redactText(`Cookie: sid=${secret}; theme=dark`))
      expectGone(secret, redactText(`postgres://ada:${secret}@db.example.org:5432/app`))
      expectGone(secret, redactText(`curl -u ada:${secret} https://example.org`))
      expectGone(secret, redactArgv(['curl', '-u', `ada:${secret}`]).join(' '))
    })
  })
})

describe.each(Object.entries(shaped))('a secret that looks like %s', (_, secret) => {
  test('never comes through, whatever it is called and wherever it stands', () => {
    always(secret, (text) => {
      expectGone(text, redactValue('EDITOR', text))
      expectGone(text, redactArgv(['run', text]).join(' '))
      expectGone(text, redactArgv(['run', `--config=${text}`]).join(' '))
      expectGone(text, redactText(`the value is ${text} as you see`))
      expectGone(text, redactText(`see "${text}", or (${text})`))
      if (!text.includes('\n')) expectGone(text, redactText(`https://example.org/path?x=${text}&y=1`))
      expectGone(text, String(redactText(JSON.stringify({ note: text })).replaceAll('\\n', '\n')))
    })
  })
})

test.each([
  ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/bin:/home/ada/.local/share/pnpm:/home/ada/.nvm/versions/node/v20.19.0/bin'],
  ['PATH', '/nix/store/0c4vb3pl8jv6xkd0h3g6s3v9sjx6r3aa-bash-interactive-5.2/bin:/run/current-system/sw/bin'],
  ['LANG', 'en_GB.UTF-8'],
  ['HOME', '/home/ada'],
  ['TMPDIR', '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/'],
  ['SSH_AUTH_SOCK', '/run/user/1000/keyring/ssh'],
  ['GIT_AUTHOR_NAME', 'Ada Lovelace'],
  ['ANTHROPIC_MODEL', 'claude-sonnet-4-20250514'],
  ['DBUS_SESSION_BUS_ADDRESS', 'unix:path=/run/user/1000/bus'],
  ['LESS', '--RAW-CONTROL-CHARS --quit-if-one-screen'],
  ['HTTPS_PROXY', 'http://proxy.example.org:3128'],
  ['LS_COLORS', 'rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35'],
])('the ordinary variable %s stays as it is', (name, value) => {
  expect(redactValue(name, value)).toBe(value)
})

test.each([
  'claude --resume 0b9f0c1e-6a55-4f0e-9d9b-0f6c2f5b7a11 --model opus',
  'git checkout 3f2a9c1b7d4e5f60718293a4b5c6d7e8f9012345',
  'commit 3f2a9c1b7d4e5f60718293a4b5c6d7e8f9012345 (HEAD -> main)',
  'image@sha256:9b2c1d0e4f5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff0',
  'fixed in 3f2a9c1b and 7d4e5f607182',
  'npm run build -- --outDir ../../dist/web --emptyOutDir --logLevel warn',
  'src/workspace/checkpoint.test.ts:120 shouldReturnAnErrorWhenTheFileDoesNotExist',
  'Primary key: id, foreign key: owner; pass: 12, fail: 0',
  'Basic usage instructions follow',
  'ssh://git@example.org/team/repository-with-a-rather-long-name.git',
  '/Users/ada/Library/Application/Developer/XcodeProjects/TerminalWorkspace',
  'handleXMLHttpRequestError NetworkInterfaceInformation createReadStreamFromFile',
  'release-2026-11-16-linux-x64 holdfast-0.12.3-rc1 feature/checkpoint-list-and-show',
])('ordinary text stays as it is: %s', (text) => {
  expect(redactText(text)).toBe(text)
})

test.each([
  'McpjvAtilbFnonjeXcxo-nXz5zMFSMOI',
  '30QB+7RX5RHImPa+QyXQ+GGtI/o+m/82sVI=',
  'IBkYsrrGTZqel-uJd8KwtBpksDCPAgsibxurKuowNw',
  'n796X3sUqG0pgnW_rk_4Fqqc5OdahOOzEhD4jtGA',
])('noise that is shaped like words is noise all the same: %s', (text) => {
  expect(redactText(`it is ${text} here`)).toBe(`it is ${REDACTED} here`)
})

test('the padding of a secret makes no name of it', () => {
  const secret = 'Izycai6Iu9osWi8LOy2SCvUEN9dtWRJQQVbxjo44v2jq6e2I3wNKkVq8opvT0O6golUsFMAr2JwtWg=='
  expectGone(secret, redactArgv(['run', secret]).join(' '))
})

test('a long hash that nothing calls a commit is taken for a key', () => {
  expect(redactText('use 3f2a9c1b7d4e5f60718293a4b5c6d7e8f9012345 please')).toBe(`use ${REDACTED} please`)
})

test('an environment is captured by an allow-list, without the marks of other programs', () => {
  const seen = { HOME: '/home/ada', OPENAI_API_KEY: 'x', MY_OWN: '1', CLAUDECODE: '1', OTHER: 'y', EMPTY: undefined }
  expect(captureEnvironment(seen, ['MY_*'])).toEqual({ HOME: '/home/ada', OPENAI_API_KEY: REDACTED, MY_OWN: '1' })
})

test('a redacted record keeps its shape and gives nothing away', () => {
  const restore = { kind: 'conversation', agent: 'claude', id: 'one', provenance: 'hook', argv: ['claude', '--api-key', 'abc'] } as const
  const env = { GH_TOKEN: 'abc', LANG: 'C' }
  const terminal = asleep({ restore, spec: { ...asleep().spec, args: ['--token=abc'], env } })
  const redacted = redactTerminal(terminal)
  expect(JSON.stringify(redacted)).not.toContain('abc')
  expect(redacted).toMatchObject({ id: terminal.id, spec: { env: { LANG: 'C' } } })
})

test('a name inside the value of another name is seen too', () => {
  expect(redactText('command="GH_TOKEN=hunter2 git push"')).toBe(`command="GH_TOKEN=${REDACTED} git push"`)
  expect(redactText('{"env":{"apiKey":"a \\"b\\" c"},"x":1}')).toBe(`{"env":{"apiKey":"${REDACTED}"},"x":1}`)
})

test('redacting twice is redacting once, and text of any kind is never an error', () => {
  always(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
    expect(typeof redactText(text)).toBe('string')
  })
  always(fc.tuple(secretName, plain), ([name, secret]) => {
    const once = redactText(`${name}=${secret} and "${name}": "${secret}"`)
    expect(redactText(once)).toBe(once)
  })
})

describe('an option that takes a secret without saying so', () => {
  const S = 'Zq7!plain-Word' // looks like nothing in particular
  const COMMANDS: readonly (readonly string[])[] = [
    ['mysql', '-u', 'root', `-p${S}`, 'app'],
    ['/usr/bin/mysqldump', `-p${S}`, 'app'],
    ['sshpass', '-p', S, 'ssh', 'host'],
    ['sshpass', `-p${S}`, 'ssh', 'host'],
    ['redis-cli', '-h', 'db', '-a', S, 'ping'],
    ['docker', 'login', '-u', 'ada', '-p', S, 'registry.example.org'],
    ['sudo', 'docker', 'login', '-p', S],
    ['openssl', 'rsa', '-in', 'key.pem', '-passin', `pass:${S}`],
    ['openssl', 'enc', '-aes-256-cbc', '-k', S],
    ['mongosh', '-u', 'ada', '-p', S],
    ['ldapsearch', '-D', 'cn=admin', '-w', S],
    ['zip', '-P', S, 'a.zip', 'b'],
    ['7z', 'a', `-p${S}`, 'a.7z'],
  ]

  test('never comes through a command line, a text or a script in quotes', () => {
    for (const argv of COMMANDS) {
      expect(redactArgv(argv).join(' '), argv.join(' ')).not.toContain(S)
      expect(redactText(argv.join(' ')), argv.join(' ')).not.toContain(S)
      expect(redactArgv(['sh', '-c', `cd /srv && ${argv.join(' ')} | cat`]).join(' '), argv.join(' ')).not.toContain(S)
      expect(redactText(`sh -c '${argv.join(' ')}'; ls`), argv.join(' ')).not.toContain(S)
      const [command = '', ...args] = argv
      const terminal = asleep({ spec: { command, args, cwd: '/', env: {}, size: { cols: 80, rows: 24 } } })
      expect(JSON.stringify(redactTerminal(terminal)), argv.join(' ')).not.toContain(S)
    }
  })

  test('leaves the rest of the line as it is', () => {
    expect(redactArgv(['mysql', '-p', 'app'])).toEqual(['mysql', '-p', 'app'])
    expect(redactArgv(['docker', 'run', '-p', '8080:80', 'web'])).toEqual(['docker', 'run', '-p', '8080:80', 'web'])
    expect(redactArgv(['openssl', 'rsa', '-passin', 'env:NAME'])).toEqual(['openssl', 'rsa', '-passin', 'env:NAME'])
    expect(redactText('docker run -p 8080:80 web; ssh -p 22 host')).toBe('docker run -p 8080:80 web; ssh -p 22 host')
    expect(redactText(`mysql -p${S} app; ssh -p 22 host`)).toBe(`mysql -p${REDACTED} app; ssh -p 22 host`)
  })

  test('the environment of a conversation is redacted too, and so is what a wake would go back to', () => {
    const restore = {
      kind: 'conversation',
      agent: 'claude',
      id: 'one',
      provenance: 'hook',
      argv: ['claude'],
      env: { API_TOKEN: S },
    } as const
    expect(JSON.stringify(redactTerminal(asleep({ restore })))).not.toContain(S)
    expect(JSON.stringify(redactTerminal(live({ previousRestore: restore })))).not.toContain(S)
  })
})
