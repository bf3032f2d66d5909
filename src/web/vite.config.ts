import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }

/** The server gives the folder login/ to everybody and the rest to those who are logged in, so nothing is shared between the two pages. */
const folderOf = (name: string): string => (name.startsWith('login') ? 'login' : 'assets')

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  define: { __HOLDFAST_VERSION__: JSON.stringify(version) },
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // these know light-dark(); made for older ones it would follow the system only
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500, // kB before compression; the budget is 600 kB after it
    rolldownOptions: {
      input: [resolve(import.meta.dirname, 'index.html'), resolve(import.meta.dirname, 'login.html')],
      output: {
        entryFileNames: ({ name }) => `${folderOf(name)}/[name]-[hash].js`,
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: ({ names }) => `${folderOf(names[0] ?? '')}/[name]-[hash][extname]`,
      },
    },
  },
})
