/** Scripts that ask the program itself what may come next. */
export const SCRIPTS: Readonly<Record<string, (program: string) => string>> = {
  bash: (program) => `# bash completion for ${program}: source <(${program} completion bash)
_${program}_complete() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}") answer closing line current
  # Bash takes = and : for ends of words; the program does not.
  local joined=() word
  for word in "\${words[@]}"; do
    local last=$((\${#joined[@]} - 1))
    if ((last >= 0)) && { [[ $word == [=:]* ]] || [[ \${joined[last]} == *[=:] ]]; }; then joined[last]+=$word
    else joined+=("$word"); fi
  done
  ((\${#joined[@]})) || joined=("")
  current=\${joined[\${#joined[@]}-1]}
  mapfile -t answer < <(${program} __complete "\${joined[@]}" 2>/dev/null)
  closing=\${answer[\${#answer[@]}-1]}
  COMPREPLY=()
  if [[ $closing == ":files" ]]; then
    compopt -o default 2>/dev/null
    return
  fi
  [[ $closing == ":open" ]] && compopt -o nospace 2>/dev/null
  local cut=\${current%"\${current##*[=:]}"}
  for line in "\${answer[@]}"; do
    [[ $line == :* ]] && continue
    line=\${line%%$'\\t'*}
    COMPREPLY+=("\${line#"$cut"}")
  done
}
complete -F _${program}_complete ${program}
`,
  zsh: (program) => `#compdef ${program}
# zsh completion for ${program}: source <(${program} completion zsh)
_${program}() {
  local -a answer candidates
  local closing line word about
  answer=("\${(@f)$(${program} __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  closing=\${answer[-1]}
  if [[ $closing == ":files" ]]; then
    _files
    return
  fi
  for line in "\${answer[@]}"; do
    [[ $line == :* || -z $line ]] && continue
    word=\${line%%$'\\t'*}
    about=\${line#$word}
    candidates+=("\${word//:/\\\\:}\${about:+:\${about#$'\\t'}}")
  done
  if [[ $closing == ":open" ]]; then _describe '${program}' candidates -S ''
  else _describe '${program}' candidates; fi
}
compdef _${program} ${program}
`,
  fish: (program) => `# fish completion for ${program}: ${program} completion fish | source
function __${program}_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l answer (${program} __complete $words[2..-1] 2>/dev/null)
  if test "$answer[-1]" = ":files"
    __fish_complete_path (commandline -ct)
    return
  end
  for line in $answer[1..-2]
    echo $line
  end
end
complete -c ${program} -f -a '(__${program}_complete)'
`,
};
