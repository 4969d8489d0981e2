import type { Pack } from "../pack.ts";

export const gitSafety: Pack = {
  id: "git-safety",
  version: 5,
  title: "Git safety",
  promise: "Blocks force pushes and asks before uncommitted work is discarded.",
  denies:
    "force pushes, deleting branches and tags of a remote, rewriting or expiring history, and changing the repository's hooks path.",
  asks: "pushes to main, master, production and release branches, `--force-with-lease`, `reset --hard`, `clean -f`, `checkout .`, `stash drop`, `branch -D`, `--no-verify`.",
  changes: "",
  passes: "everything else: status, diff, commits, branches, pushes of your own branch.",
  limits:
    "It does not see aliases of the repository (`git pf`), git in scripts or build tools, or a plain `git push` from a shared branch. Use protected branches on the host as well.",
  source: `# What others have stays. What is not committed is not lost unseen.
profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: git safety
          type: rules
          rules:
            - deny: A forced push rewrites what others have. Use --force-with-lease on your own branch.
              command: { program: git, subcommand: push, flags: [force], without_flags: [force-with-lease] }
            - deny: A branch or tag that others have is not deleted from here.
              command: { program: git, subcommand: push, flags: [delete] }
            - deny: This removes history that could not be brought back.
              any:
                - command: { program: git, subcommand: [filter-branch, filter-repo, reflog expire, reflog delete] }
                - command: { program: git, subcommand: gc, flags: [prune] }
            - deny: The repository's own checks stay where they are.
              any:
                - command: { program: git, subcommand: config core.hookspath }
                - command: { program: git, setting: core.hookspath }
                - command: { program: git, assignment: ["GIT_CONFIG_KEY_*", GIT_CONFIG_PARAMETERS] }
            - ask: "A forced push, though a careful one: a person decides."
              command: { program: git, subcommand: push, flags: [force-with-lease] }
            - ask: "This goes straight to a shared branch: a person decides."
              command: { program: git, subcommand: push, argument: [main, master, production, "release*", "*:main", "*:master", "refs/heads/main", "refs/heads/master", "*:refs/heads/main", "*:refs/heads/master", "*:production", "*:release*"] }
            - ask: "This throws work away that was not committed or merged: a person decides."
              any:
                - command: { program: git, subcommand: reset, flags: [hard] }
                - command: { program: git, subcommand: clean, flags: [force] }
                - command: { program: git, subcommand: [checkout, restore], argument: [".", ":/", "[*]", ":/[*]", ":(top)*"], without_flags: [staged] }
                - command: { program: git, subcommand: restore, argument: [".", ":/", "[*]", ":/[*]", ":(top)*"], flags: [worktree] }
                - command: { program: git, subcommand: [checkout, switch, branch], flags: [force] }
                - command: { program: git, subcommand: read-tree, flags: [reset] }
                - command: { program: git, subcommand: checkout-index, flags: [force] }
                - command: { program: git, subcommand: update-ref, flags: [delete] }
                - command: { program: git, subcommand: [stash drop, stash clear, worktree remove] }
            - ask: "This skips the repository's own checks: a person decides."
              command: { program: git, subcommand: [commit, push, merge, rebase], flags: [no_verify] }
`,
};
