/**
 * The page's files, read once into memory: a request can only name what is in the map, so no path ever reaches the disk.
 * They are the same in every installation of this version, hold no user's data, and are public.
 */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Access } from './gate.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}
const COMPRESSIBLE = /^text\/|svg|json/
const LOGIN = '/login'
/** The build puts a hash of the content into these names. */
const HASHED = /^\/(assets|login)\//

export type Asset = {
  readonly path: string
  readonly access: Access
  readonly type: string
  /** Whether its content can never change under this path. */
  readonly isFixed: boolean
  readonly body: Buffer
  /** Packed when it is first asked for: most daemons never serve their page. */
  readonly packed: (() => Promise<Buffer>) | null
}

export async function readAssets(directory: string): Promise<Asset[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
  return Promise.all(files.map((entry) => readAsset(directory, join(entry.parentPath ?? entry.path, entry.name))))
}

async function readAsset(directory: string, file: string): Promise<Asset> {
  const path = pathOf(`/${relative(directory, file).split(sep).join('/')}`)
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  const body = await readFile(file)
  const packed = COMPRESSIBLE.test(type) ? once(() => promisify(gzip)(body)) : null
  return { path, access: path === LOGIN ? 'login' : 'public', type, isFixed: HASHED.test(path), body, packed }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function pathOf(name: string): string {
  if (name === '/index.html') return '/'
  return name.endsWith('.html') ? name.slice(0, -'.html'.length) : name
}
