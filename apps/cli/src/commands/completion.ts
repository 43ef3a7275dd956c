import { operations } from '@lathe/sdk'
import type { Command } from 'commander'
import { UsageError } from '../exit-codes.ts'
import { formats, optionFlags } from '../generated/option-flags.ts'
import { asFlag } from '../option-flags.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** A script that completes commands, their subcommands, flags, options of formats, formats, operations and files. */
export function completionScript(program: Command, shell: string): string {
  const own = program.commands.flatMap((command) => command.options.flatMap(({ long }) => (long ? [long] : [])))
  const flags = [...new Set([...own, ...Object.keys(optionFlags).map(asFlag)])].sort()
  if (shell === 'bash') return bash(program, flags)
  if (shell === 'zsh') return `#compdef lathe\nautoload -U +X bashcompinit && bashcompinit\n${bash(program, flags)}`
  if (shell === 'fish') return fish(program, flags)
  throw new UsageError(`There is no completion for ${shell}. There is: ${shells.join(', ')}.`)
}

const namesOf = ({ commands }: Command) => commands.map((command) => command.name()).join(' ')

function bash(program: Command, flags: readonly string[]): string {
  const groups = program.commands
    .filter(({ commands }) => commands.length > 0)
    .map((group) => `    ${group.name()}) COMPREPLY=($(compgen -W "${namesOf(group)}" -- "$word")); return ;;`)
  return `_lathe() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} IFS=$' \\t\\n'
  case $before in
    --to|-t|--from|formats|options) COMPREPLY=($(compgen -W "${formats.join(' ')}" -- "$word")); return ;;
    run|--operation) COMPREPLY=($(compgen -W "${operations.join(' ')}" -- "$word")); return ;;
    completion) COMPREPLY=($(compgen -W "${shells.join(' ')}" -- "$word")); return ;;
${groups.join('\n')}
  esac
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${namesOf(program)}" -- "$word")); return; fi
  if [ "$COMP_CWORD" = 3 ] && [ "\${COMP_WORDS[1]}" = options ]; then
    COMPREPLY=($(compgen -W "${formats.join(' ')}" -- "$word")); return
  fi
  case $word in
    -*) COMPREPLY=($(compgen -W "${flags.join(' ')}" -- "$word")) ;;
    # Names of files may contain spaces.
    *) IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _lathe lathe
`
}

function fish(program: Command, flags: readonly string[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", '’')}'`
  const first = program.commands.map(
    (command) =>
      `complete -c lathe -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.description())}`,
  )
  const after = (name: string, words: string) =>
    `complete -c lathe -n '__fish_seen_subcommand_from ${name}' -f -a ${quoted(words)}`
  const groups = program.commands.filter(({ commands }) => commands.length > 0)
  const formatFlags = ['-l to -s t', '-l from'].map((flag) => `complete -c lathe -x ${flag} -a '${formats.join(' ')}'`)
  const others = flags
    .filter((flag) => !['--to', '--from', '--operation'].includes(flag))
    .map((flag) => `complete -c lathe -l ${flag.slice(2)}`)
  const lines = [
    ...first,
    ...groups.map((group) => after(group.name(), namesOf(group))),
    ...['formats', 'options'].map((name) => after(name, formats.join(' '))),
    after('completion', shells.join(' ')),
    `complete -c lathe -n '__fish_seen_subcommand_from run' -a '${operations.join(' ')}'`,
    `complete -c lathe -x -l operation -a '${operations.join(' ')}'`,
    ...formatFlags,
    ...others,
  ]
  return `${lines.join('\n')}\n`
}
