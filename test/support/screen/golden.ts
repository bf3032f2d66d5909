/** What the screen of `test/fixtures/snapshots/snapshot-v2.bin` was fed with, at 80 columns and 24 rows: never changed. */
export const GOLDEN_OUTPUT = [
  ...Array.from({ length: 300 }, (_, index) => `\x1b[3${index % 8}mline ${index}\x1b[0m 日本 e\u0301 👩‍💻\r\n`),
  `${'w'.repeat(100)}\r\n`,
  '\x1b]8;;https://example.com/a\x07link\x1b]8;;\x07 \x1b]8;id=two;https://example.com/b\x07two\x1b]8;;\x07\r\n',
  '\x1b]2;outer\x07\x1b[22;0t\x1b]2;inner\x07\x1b]7;file:///tmp/golden\x07\x1b]4;1;#010203\x07\x1b]11;#040506\x07',
  '\x1b[>5u\x1b[5;6H\x1b[1;32m\x1b7\x1b[0m\x1b[2;20r\x1b[3g\x1b[1;5H\x1bH\x1b)0\x1b[?1h\x1b[?2004h\x1b[?1002h\x1b[?1006h',
  '\x1b[?1049h\x1b[H\x1b[32malternate\x1b[0m\x1b[10;10H\x1b[>9u\x1b[?25l\x1b[4:3;58:5:99mpen\x1b[?7l',
].join('')
