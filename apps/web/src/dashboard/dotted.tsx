import { Fragment } from 'react'

/** Short facts in a row, separated by dots. Each has the text direction of its own letters. */
export function Dotted({ parts }: { readonly parts: readonly (string | false | undefined)[] }) {
  const given = parts.filter((part): part is string => Boolean(part))
  return given.map((part, n) => (
    <Fragment key={part}>
      {n > 0 && ' · '}
      <bdi>{part}</bdi>
    </Fragment>
  ))
}
