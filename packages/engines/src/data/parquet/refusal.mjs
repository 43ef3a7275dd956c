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
  }
}

/** @param {string} detail */
export function damaged(detail) {
  const text = 'The Parquet file is damaged or incomplete. Check that it opens, then import it again.'
  return new Refusal('input_damaged', text, detail)
}

/** @param {string} what */
export function beyond(what) {
  return new Refusal('limit_exceeded', `${what}, which is the limit. Split the file and convert the parts.`)
}

/** @param {number} count */
export const named = (count) => count.toLocaleString('en')

/** What a thrown error means: the library throws plain errors over files it cannot read. @param {unknown} error */
export function toRefusal(error) {
  if (error instanceof Refusal) return error
  return damaged((error instanceof Error ? error.message : String(error)).slice(0, 512))
}
