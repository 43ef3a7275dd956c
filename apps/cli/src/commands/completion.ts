import type { Command } from 'commander'
import { UsageError } from '../exit-codes.ts'
import { formats, optionFlags } from '../generated/option-flags.ts'
import { asFlag } from '../option-flags.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** A script that completes commands, their subcommands, flags, options of formats, formats, operations and files. */
export function completionScript(program: Command, shell: string): string {
  const commands = program.commands.map((command) => command.name())
  const own = program.commands.flatMap((command) => command.options.flatMap(({ long }) => (long ? [long] : [])))
  const flags = [...new Set([...own, ...Object.keys(optionFlags).map(asFlag)])].sort()
  if (shell === 'bash') return bash(commands, flags)
  if (shell === 'zsh') return `#compdef lathe\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands, flags)}`
  if (shell === 'fish') return fish(program, flags)
  throw new UsageError(`There is no completion for ${shell}. There is: ${shells.join(', ')}.`)
}

function bash(commands: readonly string[], flags: readonly string[]): string {
  return `_lathe() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  case $before in
    --to|--from|formats|options) COMPREPLY=($(compgen -W "${formats.join(' ')}" -- "$word")); return ;;
    completion) COMPREPLY=($(compgen -W "${shells.join(' ')}" -- "$word")); return ;;
  esac
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${commands.join(' ')}" -- "$word")); return; fi
  case $word in
    -*) COMPREPLY=($(compgen -W "${flags.join(' ')}" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _lathe lathe
`
}

function fish(program: Command, flags: readonly string[]): string {
  const first = program.commands.map(
    (command) =>
      `complete -c lathe -n __fish_use_subcommand -f -a ${command.name()} -d '${command.description().replaceAll("'", '’')}'`,
  )
  const formatFlags = ['to', 'from'].map((flag) => `complete -c lathe -x -l ${flag} -a '${formats.join(' ')}'`)
  const others = flags
    .filter((flag) => flag !== '--to' && flag !== '--from')
    .map((flag) => `complete -c lathe -l ${flag.slice(2)}`)
  return `${[...first, ...formatFlags, ...others].join('\n')}\n`
}
