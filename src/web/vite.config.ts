import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }

/** What the login alone needs stands beside the page's files: the browser does not keep it. */
const folderOf = (name: string): string => (name.startsWith('login') ? 'login' : 'assets')

const WORKER = 'serviceWorker'

/** Tells the service worker which files it is to keep. Another build has other names or another page, and thus another worker. */
const listShell = (): Plugin => ({
  name: 'list-shell',
  writeBundle({ dir = '' }) {
    const files = readdirSync(resolve(dir, 'assets')).sort()
    const version = createHash('sha256')
      .update(readFileSync(resolve(dir, 'index.html')))
      .update(files.join())
      .digest('hex')
      .slice(0, 16)
    const shell = JSON.stringify({ version, files: files.map((file) => `/assets/${file}`) })
    const worker = resolve(dir, `${WORKER}.js`)
    const written = readFileSync(worker, 'utf8').replace(/(["'`])__SHELL__\1/, () => JSON.stringify(shell))
    if (!written.includes(version)) throw new Error('the service worker has no place for its list of files')
    writeFileSync(worker, written)
  },
})

/** For scripts/licenses.mjs: the modules in the page, so that their licenses are found automatically. */
const listModules = (): Plugin => ({
  name: 'list-modules',
  writeBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    const folder = resolve(import.meta.dirname, '../../build/bundled')
    mkdirSync(folder, { recursive: true })
    writeFileSync(resolve(folder, 'web.json'), JSON.stringify([...new Set(ids)].sort()))
  },
})

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), listShell(), listModules()],
  define: { __HOLDFAST_VERSION__: JSON.stringify(version) },
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // these know light-dark(); made for older ones it would follow the system only
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500, // kB before compression; the budget is 600 kB after it
    rolldownOptions: {
      input: ['index.html', 'login.html', `installed/${WORKER}.ts`].map((file) => resolve(import.meta.dirname, file)),
      output: {
        // The worker's name stays: a browser knows it by that, and its place says which addresses it may answer for.
        entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : `${folderOf(name)}/[name]-[hash].js`),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: ({ names }) => `${folderOf(names[0] ?? '')}/[name]-[hash][extname]`,
      },
    },
  },
})
