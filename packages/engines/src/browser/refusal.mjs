// @ts-check

/** Why the runner did not do what it was asked: a code of ours, words for the owner, details for operators. */
export class Refusal extends Error {
  /**
   * @param {'input_damaged' | 'unsupported' | 'limit_exceeded' | 'engine_crashed'} code
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

/** @param {unknown} error */
export function toRefusal(error) {
  if (error instanceof Refusal) return error
  const detail = (error instanceof Error ? error.message : String(error)).slice(0, 512)
  return new Refusal('engine_crashed', undefined, detail)
}
