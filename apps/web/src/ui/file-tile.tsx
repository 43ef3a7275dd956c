/** The extension of a file, in place of an image of it. */
export function FileTile({ ext }: { readonly ext: string }) {
  return (
    <div
      aria-hidden="true"
      className="grid size-11 shrink-0 place-items-center overflow-hidden rounded-control bg-sunken font-mono text-[10px] font-semibold text-muted"
    >
      {(ext || '?').toUpperCase().slice(0, 5)}
    </div>
  )
}
