/** Finds parentheses outside of quotes, which zsh and fish execute. */

/** True if `command` has an opening parenthesis that is neither quoted nor escaped. */
export function hasUnquotedParenthesis(command: string): boolean {
  let quote = "";
  for (let at = 0; at < command.length; at++) {
    const char = command.charAt(at);
    if (quote === "'") {
      if (char === "'") quote = "";
    } else if (char === "\\") at += 1;
    else if (char === '"') quote = quote === '"' ? "" : '"';
    else if (char === "'" && quote === "") quote = "'";
    else if (char === "(" && quote === "") return true;
  }
  return false;
}
