/** Logs this browser in: makes its key, and registers it with the one-time token from the address's fragment, which never left the browser. */
import './login.css'
import { keepDevice, readDevice } from './device/keptDevice.ts'
import { hasKeys, makeKeys, publicPart } from './device/keys.ts'

const form = document.querySelector('form')
const input = document.querySelector('input')
const message = document.querySelector('#message')

const NO_KEYS = 'This browser does not allow keys at this address. Open the page at 127.0.0.1, or through an HTTPS proxy.'
const NOT_KEPT =
  'This browser stores no site data for this address, so it cannot stay logged in. Leave private browsing, or allow site data.'

function say(sentence: string): void {
  if (message === null) return
  message.textContent = sentence
  message.className = 'bad'
}

/** People paste the whole link or only what follows its #. */
const tokenIn = (text: string): string => text.slice(text.indexOf('#') + 1).trim()

async function logIn(token: string): Promise<void> {
  if (!hasKeys()) return say(NO_KEYS)
  // With its key of before it stays the same device.
  const keys = (await readDevice())?.keys ?? (await makeKeys())
  const body = JSON.stringify({ token, key: await publicPart(keys) })
  const reply = await fetch('/api/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(() => null)
  if (reply === null) return say('Holdfast does not answer. Run holdfast in a shell to start it and get a new link.')
  if (!reply.ok) return say(`${(await reply.text()).trim()} Run holdfast in a shell to get a new link.`)
  const { device, daemon } = (await reply.json()) as { readonly device: string; readonly daemon: string }
  try {
    await keepDevice({ device, keys, daemon })
  } catch {
    return say(NOT_KEPT)
  }
  location.replace('/')
}

function takeFragment(): void {
  const token = tokenIn(location.hash)
  if (token === '') return
  // Neither the history nor a screenshot shall hold the token.
  history.replaceState(null, '', '/login')
  void logIn(token)
}

form?.addEventListener('submit', (event) => {
  event.preventDefault()
  void logIn(tokenIn(input?.value ?? ''))
})
window.addEventListener('hashchange', takeFragment)
takeFragment()
