import { expect, it } from 'vitest'
import { cacheName, isAway, isOurCache, type Shell, shellAddresses, wayOf } from './shell.ts'

const ORIGIN = 'http://127.0.0.1:4653'
const shell: Shell = { version: 'abc', files: ['/assets/main-1.js', '/assets/main-2.css'] }
const way = (path: string, changes: { method?: string; isNavigation?: boolean } = {}) =>
  wayOf({ method: 'GET', url: new URL(path, ORIGIN).href, isNavigation: false, ...changes }, { shell, origin: ORIGIN }).kind

it('asks the daemon for the page first, whatever terminal or wish its address names', () => {
  for (const path of ['/', '/#t-abc', '/?do=new']) expect(way(path, { isNavigation: true })).toBe('fresh')
})

it('takes files that can never change from what is kept, and no others', () => {
  expect(['/assets/main-1.js', '/assets/main-2.css', '/assets/main-0.js'].map((path) => way(path))).toEqual(['kept', 'kept', 'pass'])
})

it('never touches what belongs to somebody', () => {
  const paths = ['/api/sessions', '/api/files', '/api/login', '/login', '/login/login-1.js', '/ws', '/serviceWorker.js']
  for (const path of paths) {
    expect(way(path)).toBe('pass')
    expect(way(path, { isNavigation: true })).toBe('pass')
    expect(way(path, { method: 'POST' })).toBe('pass')
  }
  expect(way('/', { method: 'POST', isNavigation: true })).toBe('pass')
  expect(way('https://elsewhere.example/assets/main-1.js')).toBe('pass')
})

it('keeps the page, its files and its icon under the name of the build', () => {
  expect(shellAddresses(shell)).toEqual(['/', '/manifest.webmanifest', '/icons/icon-192.png', '/assets/main-1.js', '/assets/main-2.css'])
  expect(cacheName(shell)).toBe('holdfast-shell-abc')
  expect(['holdfast-shell-old', 'other'].map(isOurCache)).toEqual([true, false])
})

it('takes a proxy that finds no daemon for no answer, and every answer of the daemon for one', () => {
  expect([200, 303, 401, 403, 404, 500, 502, 503, 504].filter(isAway)).toEqual([502, 503, 504])
})
