interface CheckProps {
  readonly label: string
  readonly isOn: boolean
  onChange(isOn: boolean): void
}

/** A checkbox with its label. */
export function Check({ label, isOn, onChange }: CheckProps) {
  return (
    <label className="flex items-center gap-2.5 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  )
}
