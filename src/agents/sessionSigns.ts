import type { Signs } from './shown.ts'

/** What opencode, and what descends from it, shows: a prompt with a lower edge, and the footer below that. */
export const SESSION_SIGNS: Signs = {
  asks: { question: /^\s*┃\s+△ \S/, choice: /^\s*┃\s+(?:Allow once\b|Confirm\s+Cancel\b|enter confirm\b)/ },
  prompt: /^\s*╹▀{10,}/,
  // A narrow footer breaks its words.
  busy: /^\s*[■⬝]{4,}|\besc (?:again to )?interrupt\b/,
}
