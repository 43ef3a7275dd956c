import type { ProcessStep } from '../engine.ts'
import { inertScript } from '../markup/inert-script.ts'
import { mailLimits } from '../markup/mail-limits.ts'
import { scriptStep } from '../markup/script-step.ts'
import { textScript } from '../markup/text-script.ts'
import { mailCss } from './mail-css.ts'
import { mailScript } from './mail-script.ts'
import { messageScript } from './message-script.ts'
import { mimeScript } from './mime-script.ts'
import { msgScript } from './msg-script.ts'
import { rtfScript } from './rtf-script.ts'

export interface MailPage {
  readonly kind: 'eml' | 'mbox' | 'msg'
  readonly input: string
  readonly output: string
  /** Whether to write text instead of a page. */
  readonly text: boolean
  /** Whether attachments become files. */
  readonly attachments: boolean
}

/** Converts a message, or all messages of a mailbox, to one clean page or one text. */
export function mailStep(page: MailPage): ProcessStep {
  return scriptStep({
    modules: {
      mail: mailScript,
      message: messageScript,
      mime: mimeScript,
      msg: msgScript,
      rtf: rtfScript,
      inert: inertScript,
      text: textScript,
    },
    ask: ['mail.json', { ...page, css: mailCss, limits: { ...mailLimits } }],
    outputs: [page.output],
  })
}
