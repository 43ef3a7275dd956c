/** Encodes text as base64 of its UTF-8 bytes. */
export function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
