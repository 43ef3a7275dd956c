// What a page does with the SDK.
const { Lathe, LatheError } = await import(new URL('/sdk-under-test/index.js', location.href).href)

export async function convert({ key, photo }) {
  const baseUrl = location.origin
  let refusal = ''
  try {
    new Lathe({ baseUrl, key })
  } catch (error) {
    refusal = error instanceof LatheError ? error.message : ''
  }
  const lathe = new Lathe({ baseUrl, key, dangerouslyAllowBrowser: true })
  const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0))
  const file = await lathe.convert(new File([bytes], 'photo.jpg'), 'webp')
  const blob = await file.blob()
  return { refusal, name: file.name, isComplete: blob.size === file.size }
}
