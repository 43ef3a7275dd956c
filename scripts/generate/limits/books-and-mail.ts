import { bookLimits } from '../../../packages/engines/src/markup/limits.ts'
import { mailLimits } from '../../../packages/engines/src/markup/mail-limits.ts'
import { bytes, count, type LimitGroup, unmeasured } from './limit.ts'

const isLarge = 'The task fails with `limit_exceeded`.'

/** Limits of EPUB, FictionBook, Markdown, messages and mailboxes. */
export const booksAndMail: LimitGroup = {
  title: 'Books and mail',
  limits: [
    {
      id: 'L-epub-entries',
      name: 'Files in an EPUB',
      value: count(bookLimits.entries),
      beyond: `${isLarge} Split the book.`,
      real: 'bookEntries',
    },
    {
      id: 'L-epub-bytes',
      name: 'Unpacked size of an EPUB or a FictionBook',
      value: bytes(bookLimits.bytes),
      beyond: `${isLarge} Compress the book first, or split it.`,
      real: 'bookBytes',
    },
    {
      id: 'L-epub-ratio',
      name: 'Unpacked bytes of an EPUB for each packed byte',
      value: count(bookLimits.ratio),
      beyond: `${isLarge} Only attacks unpack to that much. Save the book again with other software.`,
      real: 'bookRatio',
    },
    {
      id: 'L-epub-ratio-from',
      name: 'Unpacked size of an EPUB from which that ratio counts',
      value: bytes(bookLimits.freeBytes),
      beyond: 'The ratio above counts.',
      real: unmeasured.threshold,
    },
    {
      id: 'L-book-page',
      name: 'Size of a book as one page, its images included',
      value: bytes(bookLimits.page),
      beyond: `${isLarge} Compress the book first, or split it.`,
      real: 'bookPageBytes',
    },
    {
      id: 'L-markdown',
      name: 'Size of a Markdown file',
      value: bytes(bookLimits.text),
      beyond: `${isLarge} Split the text.`,
      real: 'markdownBytes',
    },
    {
      id: 'L-kindle-text',
      name: 'Text of a Kindle book, unpacked',
      value: bytes(bookLimits.text),
      beyond: `${isLarge} Split the book.`,
      real: unmeasured.kindle,
    },
    {
      id: 'L-mail-bytes',
      name: 'Size of a message or mailbox',
      value: bytes(mailLimits.bytes),
      beyond: `${isLarge} Split the mailbox.`,
      real: 'mailBytes',
    },
    {
      id: 'L-mail-messages',
      name: 'Messages of a mailbox',
      value: count(mailLimits.messages),
      beyond: 'The first messages are converted, and a warning states how many there are. Split the mailbox.',
      real: 'mailMessages',
    },
    {
      id: 'L-mail-attachments',
      name: 'Attachments that the option `attachments` adds as files',
      value: count(mailLimits.attachments),
      beyond: 'The first attachments become files, and a warning states how many were left out. Split the mailbox.',
      real: 'mailAttachments',
    },
    {
      id: 'L-mail-page',
      name: 'Size of all messages as one page, their images included',
      value: bytes(mailLimits.page),
      beyond: `${isLarge} Split the mailbox, or convert it to \`txt\`, which has no images.`,
      real: 'mailPageBytes',
    },
  ],
}
