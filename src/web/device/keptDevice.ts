/** What this browser keeps of its login, under this address, port included: no other address gets at it. */
const DATABASE = 'holdfast-device'
const STORE = 'device'
const THIS = 'this'

export type KeptDevice = {
  readonly device: string
  readonly keys: CryptoKeyPair
  /** The public key of its daemon. */
  readonly daemon: string
}

/** Null where this browser is not logged in, or keeps nothing. */
export async function readDevice(): Promise<KeptDevice | null> {
  const kept = await using('readonly', (store) => store.get(THIS)).catch(() => undefined)
  return (kept as KeptDevice | undefined) ?? null
}

export async function keepDevice(device: KeptDevice): Promise<void> {
  await using('readwrite', (store) => store.put(device, THIS))
}

/** Not one that another window has logged in as meanwhile. */
export async function forgetDevice(device: string): Promise<void> {
  const kept = await readDevice()
  if (kept?.device === device) await using('readwrite', (store) => store.delete(THIS))
}

function using<Value>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const database = opening.result
      const transaction = database.transaction(STORE, mode, { durability: 'strict' })
      const request = act(transaction.objectStore(STORE))
      transaction.oncomplete = () => {
        database.close()
        resolve(request.result)
      }
      transaction.onabort = () => {
        database.close()
        reject(transaction.error)
      }
    }
  })
}
