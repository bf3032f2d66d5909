/** Names of git branches: which git takes, which one to suggest, and what a worktree of one is called. */

/** As `git check-ref-format --branch` judges, without asking it. */
export function isBranchName(name: string): boolean {
  if (name === '' || name.length > 200 || name === '@' || name === 'HEAD' || name.startsWith('-')) return false
  if (/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$/.test(name)) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}

/** The directory of its worktree: a branch may have slashes, a directory's name may not. */
export const folderOfBranch = (branch: string): string => branch.replaceAll('/', '-')

export type Taken = { readonly branches: ReadonlySet<string>; readonly isFolderTaken: (folder: string) => boolean }

/** By the day, with a number where that is taken. `today` is as in 2026-01-31. */
export function suggestBranch(today: string, { branches, isFolderTaken }: Taken): string {
  // git keeps branches as files: where one is called `work`, there can be none below it.
  const stem = branches.has('work') ? `work-${today}` : `work/${today}`
  for (let count = 1; ; count += 1) {
    const branch = count === 1 ? stem : `${stem}-${count}`
    const isBelow = [...branches].some((other) => other.startsWith(`${branch}/`))
    if (!branches.has(branch) && !isBelow && !isFolderTaken(folderOfBranch(branch))) return branch
  }
}
