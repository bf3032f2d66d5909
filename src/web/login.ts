/** The only script that strangers may load. It posts the one-time token from the address's fragment, which never left the browser. */
import './login.css'

const form = document.querySelector('form')
const input = document.querySelector('input')
const message = document.querySelector('#message')

function say(sentence: string): void {
  if (message === null) return
  message.textContent = sentence
  message.className = 'bad'
}

/** People paste the whole link or only what follows its #. */
const tokenIn = (text: string): string => text.slice(text.indexOf('#') + 1).trim()

async function logIn(token: string): Promise<void> {
  try {
    const headers = { 'Content-Type': 'application/json' }
    const reply = await fetch('/api/login', { method: 'POST', headers, body: JSON.stringify({ token }) })
    if (reply.ok) location.replace('/')
    else say(`${(await reply.text()).trim()} Run holdfast in a shell to get a fresh link.`)
  } catch {
    say('Holdfast does not answer. Run holdfast in a shell to start it and to get a fresh link.')
  }
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
