/**
 * Which requests of the page the service worker answers, and how. Pure. It keeps the page's own files and nothing else:
 * private data (addresses under /api, the login, every answer of the daemon) is never stored.
 */
export type Shell = {
  /** Another one for every other build. */
  readonly version: string
  /** Addresses with a hash of their content in their name. */
  readonly files: readonly string[]
}

export type Asked = { readonly method: string; readonly url: string; readonly isNavigation: boolean }

export type Way =
  /** The network first; the stored copy if the network fails. */
  | { readonly kind: 'fresh'; readonly path: string }
  /** The kept one first: it can never change. */
  | { readonly kind: 'kept'; readonly path: string }
  | { readonly kind: 'pass' }

const PAGE = '/'
/** Asked for by the browser itself, under names that stay. */
const BESIDE = ['/manifest.webmanifest', '/icons/icon-192.png']

export const shellAddresses = ({ files }: Shell): readonly string[] => [PAGE, ...BESIDE, ...files]

export function wayOf({ method, url, isNavigation }: Asked, { shell, origin }: { readonly shell: Shell; readonly origin: string }): Way {
  const { origin: from, pathname } = new URL(url)
  if (method !== 'GET' || from !== origin) return { kind: 'pass' }
  if (pathname === PAGE) return isNavigation ? { kind: 'fresh', path: PAGE } : { kind: 'pass' }
  if (isNavigation) return { kind: 'pass' }
  if (BESIDE.includes(pathname)) return { kind: 'fresh', path: pathname }
  return shell.files.includes(pathname) ? { kind: 'kept', path: pathname } : { kind: 'pass' }
}

const CACHE_PREFIX = 'holdfast-shell-'
export const cacheName = ({ version }: Shell): string => `${CACHE_PREFIX}${version}`
export const isOurCache = (name: string): boolean => name.startsWith(CACHE_PREFIX)

/** Something between the browser and the daemon answers that the daemon does not: as good as no answer. */
export const isAway = (status: number): boolean => status >= 502 && status <= 504
