/** Text codecs exist in Node and in browsers alike; the pure layers see neither, so they are declared here. */
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}
declare class TextDecoder {
  decode(bytes: Uint8Array): string
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const utf8Encode = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)
export const utf8Decode = (bytes: Uint8Array): string => decoder.decode(bytes)
