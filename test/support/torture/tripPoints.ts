/** Where a daemon, its store or its holders can be made to die, and how often a round comes by there. */
const EFFECTS = ['keep', 'keepScreen', 'spawn', 'settle', 'releaseHolder', 'forget', 'announce']

export const DAEMON_POINTS = [
  ...EFFECTS.flatMap((effect) => [`before:${effect}`, `after:${effect}`]),
  ...[
    'spawn:holder-ready',
    'forget:runs-renamed',
    'forget:record-gone',
    'topology:before-keep',
    'topology:after-keep',
    'boot:holders-linked',
    'checkpoint:screens-kept',
    'checkpoint:kept',
    'checkpoint:pruned',
    'recover:before-mark',
  ],
]
/** Passed only where a program ends: worth it while there is one. */
export const ENDING_POINTS = DAEMON_POINTS.filter((point) => /settle|keepScreen|releaseHolder|forget/.test(point))
const TRANSACTION = ['store:begun', 'store:applied', 'store:committed']
const MIRROR = ['begun', 'written', 'before moved', 'renamed', 'synced'].map((moment) => `store:mirror ${moment}`)
export const STORE_POINTS = [...TRANSACTION, ...TRANSACTION, ...MIRROR]
/** All holders that this daemon starts die there. */
export const HOLDER_POINTS = ['holder:before-card', 'holder:after-card', 'holder:mid-flush', 'holder:after-exit-record']
export const MIGRATION_POINTS = [
  'store:rung 2',
  'store:rung 3',
  'store:filled',
  'store:migrated',
  ...TRANSACTION,
  'boot:holders-linked',
  'before:keep',
]

/** A point that is passed all the time is worth dying at later. */
export const passesOf = (point: string): number => (TRANSACTION.includes(point) ? 8 : /keep$|announce$|topology/.test(point) ? 3 : 1)
