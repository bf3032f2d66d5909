/** A thread of its own, so that a pattern that never ends can be ended: matches it against every line, and says when it is done. */
export type PatternJob = { readonly pattern: string; readonly isCase: boolean; readonly text: string }

addEventListener('message', ({ data }: MessageEvent<PatternJob>) => {
  const pattern = new RegExp(data.pattern, data.isCase ? 'g' : 'gi')
  let matches = 0
  for (const line of data.text.split('\n')) for (const _ of line.matchAll(pattern)) matches += 1
  postMessage(matches)
})
