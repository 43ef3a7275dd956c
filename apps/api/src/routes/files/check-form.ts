import { invalidField, Problem } from '@lathe/domain'
import { cleanFilename } from '@lathe/formats'
import type { Services } from '../../services.ts'
import type { OpenForm } from './open-form.ts'

/** Refuses requests without a valid signature: knowing the URL of a form is not enough. */
export function requireSignature(signature: string | undefined, form: OpenForm, links: Services['links']): void {
  const all = 'Send every entry of `result.form.parameters` as a form field, or in the metadata of a resumable upload.'
  if (signature === undefined) throw invalidField('signature', `is missing. ${all}`, 'required')
  if (links.isUploadSignature(form, signature)) return
  throw new Problem('not_found', { msg: `The form field signature is not the one of this form. ${all}` })
}

/** The name of a form's file: the one the task was created with, or the one sent with the file. */
export function nameFor({ payload }: OpenForm, sent: string | undefined): string {
  const given = payload.filename ?? sent
  return cleanFilename(given ?? '') ?? 'file'
}

export function refuseTooLarge(size: number, { maxFileBytes }: Pick<Services['http'], 'maxFileBytes'>): void {
  if (size > maxFileBytes) throw tooLarge(maxFileBytes)
}

export function tooLarge(maxSize: number): Problem {
  return new Problem('body_too_large', { msg: `The file is larger than the ${maxSize} bytes this service allows.` })
}
