#!/usr/bin/env node
/** What `npm test` does before the first test: builds, and checks the source while missing tools are installed. */
import { step, stepBeside } from './steps.mjs'

const TOOLS = ['tmux', 'chromium', 'headless-shell', 'strace', 'zsh', 'fish', 'bwrap']

const script = (file) => [process.execPath, `scripts/${file}`]

step('build', ...script('build.mjs'))
await Promise.all([stepBeside('check', ...script('check.mjs')), stepBeside('tools', ...script('tools.mjs'), ...TOOLS)])
