import { SHELL_TOOLS, shellGateScript } from "@quarterdeck/hooks/contract/gate-scripts";
import { indentBlock, type Pack } from "../pack.ts";

const RULES = `
at="$at"'git([[:space:]].*)?[[:space:]]'
when deny 'push[[:space:]](.*[[:space:]])?(-[A-Za-z]*f[A-Za-z]*|--force|--mirror|[+][^[:space:]]+)([[:space:]]|$)' "A forced push rewrites what others have. Use --force-with-lease on your own branch."
when deny 'push[[:space:]](.*[[:space:]])?(-d|--delete|:[^[:space:]]+)([[:space:]]|$)' "A branch or tag that others have is not deleted from here."
when deny '(filter-branch|filter-repo)([[:space:]]|$)|reflog[[:space:]]+(expire|delete)|gc[[:space:]](.*[[:space:]])?--prune=(now|all)' "This removes history that could not be brought back."
when deny '(-c|config)[[:space:]](.*[[:space:]])?core[.]hooks[Pp]ath' "The repository's own checks stay where they are."
when ask 'push[[:space:]](.*[[:space:]])?--force-with-lease' "A forced push, though a careful one: a person decides."
when ask 'push[[:space:]](.*[[:space:]:])?(refs/heads/)?(main|master|production|release[^[:space:]]*)([[:space:]]|$)' "This goes straight to a shared branch: a person decides."
when ask '(reset[[:space:]](.*[[:space:]])?--hard|clean[[:space:]](.*[[:space:]])?(-[A-Za-z]*f|--force)|(checkout|restore)[[:space:]](.*[[:space:]])?[.]([[:space:]]|$)|stash[[:space:]]+(drop|clear)|branch[[:space:]](.*[[:space:]])?-D)' "This throws work away that was not committed or merged: a person decides."
when ask '(commit|push|merge|rebase)[[:space:]](.*[[:space:]])?--no-verify|commit[[:space:]](.*[[:space:]])?-a?n[am]?([[:space:]]|$)' "This skips the repository's own checks: a person decides."
`;

export const gitSafety: Pack = {
  id: "git-safety",
  title: "Git safety",
  version: 3,
  promise: "History that others have stays, and work that is not committed is not thrown away unseen.",
  denies:
    "forced pushes, deleting branches and tags of a remote, rewriting or expiring history, and moving the repository's hooks away.",
  asks: "pushes to main, master, production and release branches, `--force-with-lease`, `reset --hard`, `clean -f`, `checkout .`, `stash drop`, `branch -D`, `--no-verify`.",
  changes: "",
  passes: "everything else: status, diff, commits, branches, pushes of one's own branch.",
  limits:
    "Aliases (`git pf`), git run by a script or a build tool, and a plain `git push` from a shared branch are not seen. Rules of the host (protected branches) are the real wall; this keeps an agent from running into it.",
  source: `# What others have stays. What is not committed is not lost unseen.
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "${SHELL_TOOLS}"
      preempt_yolo: true
      hooks:
        - name: git safety
          type: command
          timeout: 10
          command: |
            ${indentBlock(12, shellGateScript(RULES))}
`,
};
