// @ts-check

/** Why the runner did not do what it was asked: a code of ours, words for the owner, details for operators. */
export class Refusal extends Error {
  /**
   * @param {'input_damaged' | 'input_encrypted' | 'unsupported' | 'limit_exceeded' | 'engine_crashed'} code
   * @param {string} [text]
   * @param {string} [detail]
   */
  constructor(code, text, detail) {
    super(detail ?? text ?? code)
    this.code = code
    this.text = text
    this.detail = detail
    /** Which input could not be decoded: another decoder may read it. @type {string | undefined} */
    this.file = undefined
  }
}

/** The error for a damaged image. */
export const incomplete =
  'The image is damaged or incomplete: parts that cannot be read are blank. The option strict refuses such files.'

/**
 * Where the file is named, another decoder may be asked.
 * @param {{ file?: string | undefined, format: string }} input
 * @param {unknown} [error]
 */
export function damaged({ file, format }, error) {
  const text = `The input is damaged, incomplete or not really ${format}. Check that it opens, then import it again.`
  const refusal = new Refusal('input_damaged', text, detailOf(error))
  refusal.file = file
  return refusal
}

/**
 * @param {string} what
 * @param {number} value
 * @param {number} limit
 */
export function beyond(what, value, limit) {
  const text = `The file exceeds a limit of this service: ${what} ${Math.round(value)}, at most ${limit} allowed.`
  return new Refusal('limit_exceeded', text)
}

/** @param {unknown} error */
export function toRefusal(error) {
  return error instanceof Refusal ? error : new Refusal('engine_crashed', undefined, detailOf(error))
}

/** @param {unknown} error */
function detailOf(error) {
  if (error === undefined) return undefined
  return (error instanceof Error ? error.message : String(error)).slice(0, 512)
}
