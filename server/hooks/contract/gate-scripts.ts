/**
 * The shell code that packs and imported policies share: POSIX sh, with Debian's awk and grep. Every policy that uses it contains a
 * copy, so a policy has no dependencies.
 *
 * Plain grep over the JSON on stdin is easy to evade (`r\"\"m`, `r\\m`, `\u0072m`) and matches words that are not part of a
 * command. So the JSON is decoded first. A decoding failure denies, because the text was not judged.
 */
import { kindMatcher } from "./tool-kinds.ts";

/**
 * `texts KEY` prints the texts below a key of the input, one for each line. JSON escapes are decoded; the shell's quotes,
 * backslashes and `$IFS` are removed; a new line begins where a new simple command could begin. A list is one line; each element
 * of `commands` is a command. Fails if the input is truncated or the key is missing.
 */
const TEXTS = String.raw`texts() {
  LC_ALL=C awk -v from="$1" '
    BEGIN { RS = "\"" }
    function put(s) {
      if (!on) return
      if (s != "") slash = 0
      gsub(/\047/, "", s); gsub(/[$][{]?IFS[}]?/, " ", s); gsub(/[;&|()\140]/, "\n", s)
      printf "%s", s
    }
    function char(hex,  v) {
      if (hex !~ /^00[0-7]/) return "?"
      v = 16 * (index("0123456789abcdef", substr(hex, 3, 1)) - 1) + index("0123456789abcdef", substr(hex, 4, 1)) - 1
      if (v == 10) return "\n"
      return v < 33 ? " " : v == 34 || v == 92 ? "" : sprintf("%c", v)
    }
    function decode(s,  part, n, i, c) {
      n = split(s, part, /\\/)
      put(part[1])
      for (i = 2; i <= n; i++) {
        c = substr(part[i], 1, 1)
        if (c == "") { slash = !slash; put(part[++i]) }
        else if (c == "n") { if (!slash) put("\n"); slash = 0; put(substr(part[i], 2)) }
        else if (c == "u") { put(char(tolower(substr(part[i], 2, 4)))); put(substr(part[i], 6)) }
        else { put(c == "/" ? c : " "); put(substr(part[i], 2)) }
      }
    }
    inside {
      odd = match($0, /\\+$/) && RLENGTH % 2
      s = odd ? substr($0, 1, length($0) - 1) : $0
      if (value) decode(s); else key = key s
      if (odd) slash = 0; else inside = 0
      next
    }
    {
      s = $0; gsub(/[^][{}:,]/, "", s)
      for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (c == ":") { value = 1; if (depth == 1) on = key == from; found = found || on; continue }
        if (c == "{" || c == "[") { kind[++depth] = c; apart[depth] = key == "commands" ? "\n" : " " }
        if (c == "}" || c == "]") depth--
        if (depth < 2 && c != "{" && c != "[") { if (on) print ""; on = 0 }
        value = kind[depth] == "["
        if (!value) key = ""
      }
      if (on) printf "%s", (kind[depth] == "[" && depth > 2 ? apart[depth] : "\n")
      slash = 0; inside = 1
    }
    END { print ""; exit (found && depth == 0 ? 0 : 1) }
  '
}`;

/** `say ask|deny REASON` ends the hook with a verdict. `when ask|deny PATTERN REASON` does so if a line matches. */
const VERDICTS = String.raw`say() {
  printf '{"hook_specific_output":{"permission_decision":"%s","permission_decision_reason":"%s"}}\n' "$1" "$2"
  exit 0
}
when() {
  printf '%s\n' "$text" | LC_ALL=C grep -Eq -e "$at$2"
  case $? in
    0) say "$1" "$3" ;;
    1) ;;
    *) say deny "The call could not be judged, so it is refused." ;;
  esac
}`;

/** The start of a simple command: after launchers of other commands, assignments, and the folder of the program. */
const AT = `at='^[[:space:]{!]*((sudo|doas|env|exec|command|builtin|nohup|time|timeout [0-9a-z.]+|nice|xargs|then|do|else|if|while|eval|function[[:space:]]+[^[:space:]]+[[:space:]]*[{]?|(ba|da|z|k)?sh)([[:space:]]+-[^[:space:]]*([[:space:]]+[^-[:space:]][^[:space:]]*)?)*[[:space:]]+|[A-Za-z_][A-Za-z0-9_]*=[^[:space:]]*[[:space:]]+|.*[[:space:]]-(exec|execdir|ok)[[:space:]]+)*([^[:space:]]*/)?'`;

/**
 * A gate on a tool call. `rules` judge `$text`, the content below `key`, line by line. `filter` is a command with its pipe that
 * changes the JSON before it is read.
 */
export function gateScript(rules: string, key = "tool_input", filter = ""): string {
  return `${TEXTS}
${VERDICTS}
text=$(${filter}texts ${key}) || say deny "The call could not be read, so it is refused."
at=''
${rules.trim()}
exit 0`;
}

/** The same for a shell: `rules` judge simple commands. */
export function shellGateScript(rules: string): string {
  return gateScript(`${AT}\n${rules.trim()}`);
}

/** A gate on events other than tool calls. `rules` see `$text` and refuse with exit 2 and a sentence on stderr. */
export function textGateScript(key: string, rules: string): string {
  return `${TEXTS}
refuse() { echo "$1" >&2; exit 2; }
text=$(texts ${key}) || refuse "The text could not be read, so it is refused."
has() {
  printf '%s\n' "$text" | LC_ALL=C grep -Eq -e "$1"
  case $? in
    0) return 0 ;;
    1) return 1 ;;
    *) refuse "The text could not be judged, so it is refused." ;;
  esac
}
${rules.trim()}
exit 0`;
}

/** Tools that run commands: those of every client, and typical names of MCP tools. */
export const SHELL_TOOLS = `${kindMatcher("shell")}|(?i:.*(bash|terminal|exec|run_command|run_shell|powershell).*)`;
/** Tools that change files: those of every client, and typical names of MCP tools. */
export const WRITING_TOOLS = `${kindMatcher("write")}|${kindMatcher("edit")}|Delete|(?i:.*(write_file|edit_file|create_file|delete_file|move_file|remove_directory|create_directory|apply_patch|str_replace).*)`;
