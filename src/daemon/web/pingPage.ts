/** One request to the page's own server, as a browser would make it, to see that it answers. */
import { get } from 'node:http'

export function pingPage(url: string | null, withinMs: number): Promise<void> {
  if (url === null) return Promise.reject(new Error('it has no port'))
  return new Promise((resolve, reject) => {
    // Not kept open: a server that stopped listening still answers on old connections.
    const request = get(`${url}login`, { agent: false, timeout: withinMs }, (response) => {
      response.resume()
      const { statusCode = 500 } = response
      // A page that has not been built is missing, which is no fault of the server's.
      if (statusCode === 200 || statusCode === 404) resolve()
      else reject(new Error(`it answers with ${statusCode}`))
    })
    request.on('timeout', () => request.destroy(new Error(`it did not answer within ${withinMs} ms`)))
    request.on('error', reject)
  })
}
