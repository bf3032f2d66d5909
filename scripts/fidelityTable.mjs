/** The figures of scripts/fidelity.mjs as a page: in a terminal and in docs/fidelity.md it is the same Markdown. */
const MARK = { true: 'yes', false: '**no**' }

export function fidelityText(report) {
  const [ours] = report.methods
  const wrong = report.recordings.flatMap(({ name, wrong: cuts }) =>
    cuts.map(({ at, differences }) => `${name} at ${at}: ${differences.join(', ')}`),
  )
  const lost = report.features.filter(({ exact }) => !exact[0]).map(({ name }) => name)
  return [
    fidelityPage(report),
    ...(lost.length === 0 ? [] : [`\nThe ${ours} loses: ${lost.join(', ')}`]),
    ...(wrong.length === 0 ? [] : [`\nNot equal (${wrong.length}):`, ...wrong.slice(0, 20)]),
    `\n${report.seconds} s`,
  ].join('\n')
}

export function fidelityPage(report) {
  return `# How exactly a screen comes back

Written by \`npm run fidelity -- --write\`; \`npm run fidelity\` measures it again.

A snapshot is restored into a second screen, and the two are compared: every cell of both buffers and of the history with
all its attributes, and all state, down to the parser. *Exact* means that nothing differs, now or after output that brings
hidden state to light. *Picture* means that what is seen is the same: cells, cursor, history.

| way | what it is |
|---|---|
| ${report.methods[0]} | Holdfast's snapshot, restored by Holdfast |
| ${report.methods[1]} | the same snapshot in any other terminal: only its ANSI, as an attached terminal gets it |
| ${report.methods[2]} | the stock serializer of the terminal engine |

${summary(report)}

ANSI alone cannot say everything: above all what a combining mark would join that comes next, which any attribute set after
the last character decides; the working directory; the title stack.

## Recordings of real programs

Every byte of a recording is a cut: the snapshot taken there and the rest of the bytes must make the same screen as the
whole. Cuts inside one escape sequence share a snapshot. ${tried(report)}
The last three columns are measured at some of the cuts, and only at those between sequences, as the stock serializer knows
no others: exact / picture.
${report.agents === 0 ? '\nThe recordings of agents were not at hand.\n' : ''}
${recordings(report)}

## Features

${features(report)}

## What the engine does not model

Nothing about a screen changes when a program prints these, so there is nothing to bring back.

${report.unmodelled.map((name) => `- ${name}`).join('\n')}
`
}

function tried({ stride, agentsStride, agents }) {
  if (stride > 1) return `Here one cut in ${stride} was tried.`
  return agents > 0 && agentsStride > 1 ? `Of the agents' recordings one cut in ${agentsStride} was tried.` : ''
}

function summary({ methods, features, recordings }) {
  const cuts = sum(recordings, ({ cuts }) => cuts)
  const wrong = sum(recordings, ({ wrong }) => new Set(wrong.map(({ at }) => at)).size)
  const compared = sum(recordings, ({ compared }) => compared)
  return table([
    ['', ...methods],
    ['features exact', ...methods.map((_, index) => share(features.filter(({ exact }) => exact[index]).length, features.length))],
    ['features, picture', ...methods.map((_, index) => share(features.filter(({ picture }) => picture[index]).length, features.length))],
    ['cuts tried', share(cuts - wrong, cuts), '', ''],
    [
      'compared cuts exact',
      ...methods.map((name) =>
        share(
          sum(recordings, ({ scores }) => scores[name].exact),
          compared,
        ),
      ),
    ],
    [
      'compared cuts, picture',
      ...methods.map((name) =>
        share(
          sum(recordings, ({ scores }) => scores[name].picture),
          compared,
        ),
      ),
    ],
  ])
}

function recordings({ methods, recordings }) {
  return table([
    ['recording', 'bytes', 'cuts equal', 'played to the end', ...methods],
    ...recordings.map(({ name, bytes, cuts, wrong, playedToTheEnd, compared, scores }) => [
      name,
      bytes,
      `${cuts - new Set(wrong.map(({ at }) => at)).size} of ${cuts}`,
      playedToTheEnd,
      ...methods.map((method) => `${scores[method].exact} / ${scores[method].picture} of ${compared}`),
    ]),
  ])
}

function features({ methods, features }) {
  return table([
    ['feature', ...methods],
    ...features.map(({ name, exact, picture }) => [
      name,
      ...exact.map((ok, index) => (ok ? MARK.true : picture[index] ? 'picture only' : MARK.false)),
    ]),
  ])
}

const sum = (rows, of) => rows.reduce((total, row) => total + of(row), 0)
const share = (part, whole) => `${part} of ${whole}${whole === 0 ? '' : ` (${percent(part, whole)})`}`
/** Never rounded up to all. */
const percent = (part, whole) => `${part === whole ? 100 : Math.floor((1000 * part) / whole) / 10} %`

function table([head, ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
