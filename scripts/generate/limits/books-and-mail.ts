import { bookLimits } from '../../../packages/engines/src/markup/limits.ts'
import { mailLimits } from '../../../packages/engines/src/markup/mail-limits.ts'
import { bytes, count, type LimitGroup, threeSteps, unmeasured } from './limit.ts'

const books = 'e2e/src/attacks/limits/books.test.ts'
const bookAttacks = 'packages/engines/src/pandoc/attacks.int.test.ts: a book over a limit'
const mail = 'e2e/src/attacks/limits/mail.test.ts'
const mailAttacks = 'packages/engines/src/mail/attacks.int.test.ts: a message over a limit'
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
      tests: threeSteps(books, 'files in an EPUB, 20,000'),
      real: 'bookEntries',
    },
    {
      id: 'L-epub-bytes',
      name: 'Unpacked size of an EPUB or a FictionBook',
      value: bytes(bookLimits.bytes),
      beyond: `${isLarge} Compress the book first, or split it.`,
      tests: threeSteps(books, 'unpacked bytes of an EPUB, 1 GiB'),
      real: 'bookBytes',
    },
    {
      id: 'L-epub-ratio',
      name: 'Unpacked bytes of an EPUB for each packed byte',
      value: count(bookLimits.ratio),
      beyond: `${isLarge} Only attacks unpack to that much. Save the book again with other software.`,
      tests: [
        ...threeSteps(books, 'unpacked bytes of an EPUB for each packed one, 200'),
        `${bookAttacks} > is refused if its archive unpacks to far more than its size`,
      ],
      real: 'bookRatio',
    },
    {
      id: 'L-epub-ratio-from',
      name: 'Unpacked size of an EPUB from which that ratio counts',
      value: bytes(bookLimits.freeBytes),
      beyond: 'The ratio above counts.',
      tests: [
        ...threeSteps(books, 'unpacked bytes of an EPUB before its ratio counts, 64 MiB'),
        `${bookAttacks} > is converted if it is large but valid`,
      ],
      real: unmeasured.threshold,
    },
    {
      id: 'L-book-page',
      name: 'Size of a book as one page, its images included',
      value: bytes(bookLimits.page),
      beyond: `${isLarge} Compress the book first, or split it.`,
      tests: [
        `${books}: bytes of a book as one page, 256 MiB > is the limit that a page is checked against`,
        ...threeSteps(books, 'bytes of a book as one page, 256 MiB'),
      ],
      real: 'bookPageBytes',
    },
    {
      id: 'L-markdown',
      name: 'Size of a Markdown file',
      value: bytes(bookLimits.text),
      beyond: `${isLarge} Split the text.`,
      tests: threeSteps(books, 'bytes of Markdown, 32 MiB'),
      real: 'markdownBytes',
    },
    {
      id: 'L-kindle-text',
      name: 'Text of a Kindle book, unpacked',
      value: bytes(bookLimits.text),
      beyond: `${isLarge} Split the book.`,
      tests: [
        ...threeSteps(books, 'text of a Kindle book, 32 MiB'),
        'packages/engines/src/pandoc/mobi.int.test.ts: a hostile Kindle book > that grows when it is read is refused',
      ],
      real: unmeasured.kindle,
    },
    {
      id: 'L-mail-bytes',
      name: 'Size of a message or mailbox',
      value: bytes(mailLimits.bytes),
      beyond: `${isLarge} Split the mailbox.`,
      tests: [
        ...threeSteps(mail, 'bytes of a message or mailbox, 256 MiB'),
        `${mailAttacks} > is refused if it is larger than any message`,
      ],
      real: 'mailBytes',
    },
    {
      id: 'L-mail-messages',
      name: 'Messages of a mailbox',
      value: count(mailLimits.messages),
      beyond: 'The first messages are converted, and a warning states how many there are. Split the mailbox.',
      tests: [
        ...threeSteps(mail, 'messages of a mailbox, 1,000'),
        `${mailAttacks} > is converted up to a number of messages, with a warning`,
      ],
      real: 'mailMessages',
    },
    {
      id: 'L-mail-attachments',
      name: 'Attachments that the option `attachments` adds as files',
      value: count(mailLimits.attachments),
      beyond: 'The first attachments become files, and a warning states how many were left out. Split the mailbox.',
      tests: [
        ...threeSteps(mail, 'attachments of a message, 200'),
        `${mailAttacks} > gives a number of attachments at most`,
      ],
      real: 'mailAttachments',
    },
    {
      id: 'L-mail-page',
      name: 'Size of all messages as one page, their images included',
      value: bytes(mailLimits.page),
      beyond: `${isLarge} Split the mailbox, or convert it to \`txt\`, which has no images.`,
      tests: [
        `${mail}: bytes of messages as one page, 256 MiB > is the limit that a page is checked against`,
        ...threeSteps(mail, 'bytes of messages as one page, 256 MiB'),
      ],
      real: 'mailPageBytes',
    },
  ],
}
