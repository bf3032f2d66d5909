#!/usr/bin/env node
/** Plays an agent: shows a conversation that never was, says how it does as agents say it, and waits. Called by an agent's name. */
import { basename } from 'node:path'

const name = basename(process.argv[1])
const [bold, dim, green, red, cyan, yellow, off] = [1, 2, 32, 31, 36, 33, 0].map((code) => `\x1b[${code}m`)
const state = (fields) => `\x1b]7501;${fields}:app=${name}\x1b\\`
const message = (text) => `msg=${Buffer.from(text).toString('base64')}`

const WORKING = `
${dim}>${off} The moorings list is slow with many boats. Find out why.

${green}●${off} I'll look at where the time goes first.

${cyan}●${off} ${bold}Read${off} src/moorings.js
  ${dim}└ 48 lines${off}
${cyan}●${off} ${bold}Run${off} node --cpu-prof bench.js
  ${dim}└ 91 % in nearestBerth(), called once per boat and berth${off}

${green}●${off} Every boat is held against every berth. With the berths sorted by
  length once, a binary search per boat is enough.

${cyan}●${off} ${bold}Edit${off} src/moorings.js
  ${red}- const berth = berths.find((each) => fits(each, boat))${off}
  ${green}+ const berth = berths[lowestFit(berths, boat.length)]${off}

${yellow}✻ Measuring again… (12 s)${off}
`
const ASKING = `
${dim}>${off} Add a form for new boats, with tests.

${green}●${off} The form is in place and its fields are checked on both sides.

${cyan}●${off} ${bold}Write${off} src/BoatForm.js      ${green}+64${off}
${cyan}●${off} ${bold}Write${off} test/boatForm.js      ${green}+41${off}

${bold}Run this command?${off}

   ${cyan}npm test -- --grep "boat form"${off}

 ${green}❯ 1. Yes${off}
   2. Yes, and do not ask again for npm test
   3. No, and tell me what to do instead
`
process.stdout.write('\x1b[2J\x1b[H')
if (process.argv.includes('--asks'))
  process.stdout.write(`${ASKING}${state(`state=blocked:kind=permission:${message('Run npm test -- --grep "boat form"?')}`)}`)
else process.stdout.write(`${WORKING}${state('state=working')}`)
process.stdin.resume()
