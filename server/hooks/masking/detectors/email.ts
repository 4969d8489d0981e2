/** E-mail addresses. Found at each `@`, so that a text without one costs nothing. */

const LOCAL_MAX = 64;
const DOMAIN_MAX = 190;
const LOCAL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u;
/** A name and its labels; the last one is of letters. */
const DOMAIN =
  /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}[\p{L}\p{N}])?){0,7}\.\p{L}{2,24}/u;
/** Not a letter of an address where it stands before one: quotes, brackets of code and paths. */
const BEFORE = /^[.'`/{}|=*!?&#]+/;

export function findEmails(text: string): readonly (readonly [start: number, end: number])[] {
  const found: [number, number][] = [];
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    let start = at;
    while (start > 0 && at - start < LOCAL_MAX && LOCAL.test(text.charAt(start - 1))) start -= 1;
    const local = text.slice(start, at);
    start += BEFORE.exec(local)?.[0].length ?? 0;
    if (start === at) continue;
    const domain = DOMAIN.exec(text.slice(at + 1, at + 1 + DOMAIN_MAX))?.[0];
    if (domain === undefined) continue;
    const end = at + 1 + domain.length;
    if (isGitRemote(text, start, at, end)) continue;
    found.push([start, end]);
  }
  return found;
}

/** `git@github.com:owner/name` names a repository. */
const isGitRemote = (text: string, start: number, at: number, end: number): boolean =>
  text.slice(start, at).endsWith("git") && (text.charAt(end) === ":" || text.charAt(end) === "/");
